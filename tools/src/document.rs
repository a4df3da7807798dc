//! Measured tables inside documents.

/// Prints a table, or puts it into a document, between the two comments that name the block.
pub fn publish(document: Option<&str>, block: &str, table: &str) {
    let Some(path) = document else {
        println!("{table}");
        return;
    };
    let (first, last) = (format!("<!-- measured: {block} -->\n"), format!("<!-- end of {block} -->"));
    let old = std::fs::read_to_string(path).expect("a readable document");
    let start = old.find(&first).expect("the comment that begins the block") + first.len();
    let end = old.find(&last).expect("the comment that ends the block");
    std::fs::write(path, format!("{}\n{table}\n{}", &old[..start], &old[end..])).expect("a writable document");
}
