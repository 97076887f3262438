//! Logistic regression of the outcomes of pairs on systems: which weights explain who is ahead of whom.
//!
//! Outcomes come in packed, five systems to a byte (`codes`); `coded_sums` multiplies with that matrix without unpacking
//! it. `fit` descends with steps of Newton's method: `hessian` computes the curvature, exactly or from a sample, and `lbfgs`
//! corrects it by the steps that were made. `logistic` has the loss and its derivatives. Python's twin takes the same steps.

pub(crate) mod coded_sums;
pub(crate) mod codes;
pub(crate) mod fit;
pub(crate) mod hessian;
pub(crate) mod lbfgs;
pub(crate) mod logistic;
