"""Public names of ``cranfield.standardization``, from the modules that define them."""

from cranfield.standardization.factors import StandardizationFactors as StandardizationFactors
from cranfield.standardization.factors import fit_standardization as fit_standardization
from cranfield.standardization.factors import read_factors as read_factors

# isort: split
# Written by ``make stub``: the declared analyses of this room, and their results.
from cranfield.standardization.factors import standardize as standardize
from cranfield.standardization.means import StandardizedMeans as StandardizedMeans
from cranfield.standardization.means import estimate_standardized_means as estimate_standardized_means
from cranfield.standardization.study import StandardizationStudy as StandardizationStudy
from cranfield.standardization.study import study_standardization as study_standardization
