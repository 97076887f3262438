//! The module `_engine` as Python sees it; `cranfield.engine.protocol` describes what is in it.

/// Bytes to arrays: reads runs and judgments, orders documents and looks them up.
#[pyo3::pymodule]
mod _engine {
    use pyo3::prelude::*;

    #[pymodule_export]
    const NAME: &str = "compiled";

    #[pymodule_export]
    use crate::python::convert::warm_numpy;

    #[pymodule_export]
    use crate::python::comparison::{
        count_agreements, count_leads, count_outcomes, count_ties, majority_order, order_by_votes, order_lists,
        sum_by_rank, unite_documents,
    };

    #[pymodule_export]
    use crate::python::probe::{count_bytes, count_fields};

    #[pymodule_export]
    use crate::python::objects::{nested_rows, packed_ids};

    #[pymodule_export]
    use crate::python::row_groups::{grouped_pools, grouped_rows};

    #[pymodule_export]
    use crate::python::ids::{take_text, viewed_ids, written_ids};

    #[pymodule_export]
    use crate::python::writers::run_lines;

    #[pymodule_export]
    use crate::python::writers::score_rows;

    #[pymodule_export]
    use crate::python::samples::{count_apart, count_decisions, count_reached, count_welch_tests, largest_statistics};

    #[pymodule_export]
    use crate::python::sign_regression::{fit_signs, pack_outcomes};

    #[pymodule_export]
    use crate::python::segments::{
        exact_sums, first_chances, list_counts, list_positions, list_sums, products_before, rows_down_to,
        running_counts, running_pairs, running_values, select_rows,
    };

    #[pymodule_export]
    use crate::python::measures::{
        bpref_relative_sums, bpref_sums, compat_sums, gap_sums, ideal_sums, infap_sums, pair_shares, read_inst,
        read_with_continuation, reader_bits, rpref_penalties, rpref_sums, weighed_sums,
    };

    #[pymodule_export]
    use crate::python::unordered_lists::PyUnorderedRows;

    #[pymodule_export]
    use crate::python::id_columns::ColumnPools;

    #[pymodule_export]
    use crate::python::pools::{PyPoolBuilder, gather_pools, topic_edges};

    #[pymodule_export]
    #[pymodule_export]
    use crate::python::reading::{PyTopicIndex, build_index, judge_file, judge_run, read_qrels, read_run};

    #[pymodule_init]
    fn on_import(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Where it is not there yet, the engine may be wanted to read meanwhile.
        let loaded = module.py().import("sys")?.getattr("modules")?.contains("numpy")?;
        if loaded { warm_numpy(module.py()) } else { Ok(()) }
    }
}
