#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| _engine::invariants::columns::check_columns(data));
