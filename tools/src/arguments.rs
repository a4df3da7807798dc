//! The command line of the programs.

/// What follows the program's name.
pub fn arguments() -> Vec<String> {
    std::env::args().skip(1).collect()
}

/// Takes an option and its value out of the arguments.
pub fn option(arguments: &mut Vec<String>, name: &str) -> Option<String> {
    let at = arguments.iter().position(|argument| argument == name)?;
    assert!(at + 1 < arguments.len(), "{name} needs a value");
    arguments.drain(at..at + 2).nth(1)
}

/// Takes an option without a value out of the arguments.
pub fn flag(arguments: &mut Vec<String>, name: &str) -> bool {
    let at = arguments.iter().position(|argument| argument == name);
    at.map(|at| arguments.remove(at)).is_some()
}
