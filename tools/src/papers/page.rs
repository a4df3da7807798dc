//! The report as one page that needs nothing else: style and pictures are inside.

use super::plot::escaped;
use super::report::{Block, Conclusion, Section, Verdict};
use std::fmt::Write;

const STYLE: &str = "
body { font: 15px/1.5 system-ui, sans-serif; color: #1c1c1c; background: #fff; max-width: 1220px; margin: 2em auto; padding: 0 1.2em; }
h1 { font-size: 1.7em; } h2 { margin-top: 2.6em; border-top: 2px solid #1b6ca8; padding-top: .6em; } h3 { margin: 2em 0 .3em; }
p { margin: .4em 0; max-width: 75em; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 12.5px; margin: .6em 0; }
th, td { border: 1px solid #ccc; padding: .2em .45em; text-align: right; white-space: nowrap; }
th { background: #eef3f7; white-space: normal; vertical-align: bottom; }
td:first-child, th:first-child { text-align: left; }
table.words td, table.words th { text-align: left; white-space: normal; vertical-align: top; }
tr.paper td { background: #f4f7fa; font-weight: bold; }
tr.group td { border-top: 2px solid #999; }
figure { margin: .6em 0; } svg { width: 100%; max-width: 860px; height: auto; display: block; }
svg text { font: 13px system-ui, sans-serif; fill: #333; } svg .grid { stroke: #e3e3e3; } svg .field { fill: none; stroke: #888; }
.conclusion { border-left: 4px solid #999; padding: .3em .8em; background: #f6f6f6; }
.holds { border-color: #2e8b57; } .partly { border-color: #b8860b; } .fails { border-color: #d1495b; }
.caption { color: #444; }
";

/// The page. `head` are sentences on how and where it was measured.
pub fn page(sections: &[Section], head: &[String]) -> String {
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>feeler and the papers behind it</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>feeler and the papers behind it</h1>\n"
    );
    for sentence in head {
        let _ = writeln!(html, "<p>{}</p>", escaped(sentence));
    }
    html += "<h2>Conclusions</h2>\n<div class=\"scroll\"><table class=\"words\">\n\
             <tr><th>table or figure</th><th>the paper says</th><th>today</th><th>what was measured</th></tr>\n";
    for section in sections {
        let _ = writeln!(html, "<tr class=\"paper\"><td colspan=\"4\">{}</td></tr>", title_of(section.name));
        for (name, title, conclusion) in section.conclusions() {
            let _ = writeln!(
                html,
                "<tr><td><a href=\"#{name}\">{}</a></td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escaped(title),
                escaped(&conclusion.paper),
                conclusion.verdict.name(),
                escaped(&conclusion.sentence)
            );
        }
    }
    html += "</table></div>\n";
    for section in sections {
        let _ = writeln!(
            html,
            "<h2 id=\"{}\">{}</h2>\n<p>{}</p>",
            section.name,
            title_of(section.name),
            escaped(section.paper)
        );
        for block in &section.blocks {
            show(&mut html, block);
        }
        if !section.claims.is_empty() {
            html += "<h3>What the tests rely on</h3>\n<div class=\"scroll\"><table class=\"words\">\n\
                     <tr><th>statement</th><th>holds</th><th>numbers</th></tr>\n";
            for claim in &section.claims {
                let holds = if claim.holds { "yes" } else { "no" };
                let _ = writeln!(
                    html,
                    "<tr><td>{}</td><td>{holds}</td><td>{}</td></tr>",
                    escaped(&claim.name),
                    escaped(&claim.numbers)
                );
            }
            html += "</table></div>\n";
        }
    }
    html + "</body>\n</html>\n"
}

/// The name of an experiment in words.
fn title_of(name: &str) -> String {
    let words = name.replace('_', " ").replace("aabb", "AABB").replace("obb", "OBB");
    words[..1].to_uppercase() + &words[1..]
}

fn show(html: &mut String, block: &Block) {
    match block {
        Block::Table(table) => {
            let _ = writeln!(html, "<h3 id=\"{}\">{}</h3>", table.name, escaped(&table.title));
            let _ = writeln!(html, "<p class=\"caption\">{}</p>", escaped(&table.caption));
            *html += "<div class=\"scroll\"><table>\n<tr>";
            for cell in &table.head {
                let _ = write!(html, "<th>{}</th>", escaped(cell));
            }
            *html += "</tr>\n";
            // Rows that share their first cell are a group.
            let is_grouped = table.rows.windows(2).any(|two| two[0][0] == two[1][0]);
            for (place, row) in table.rows.iter().enumerate() {
                let begins = place > 0 && table.rows[place - 1][0] != row[0];
                let group = if is_grouped && begins { " class=\"group\"" } else { "" };
                let _ = write!(html, "<tr{group}>");
                for cell in row {
                    let _ = write!(html, "<td>{}</td>", escaped(cell));
                }
                *html += "</tr>\n";
            }
            *html += "</table></div>\n";
            conclude(html, &table.conclusion);
        }
        Block::Figure(figure) => {
            let _ = writeln!(html, "<h3 id=\"{}\">{}</h3>", figure.name, escaped(&figure.title));
            let _ = writeln!(html, "<p class=\"caption\">{}</p>", escaped(&figure.caption));
            let _ = writeln!(html, "<figure>{}</figure>", figure.chart.svg(&figure.title));
            if let Some(conclusion) = &figure.conclusion {
                conclude(html, conclusion);
            }
        }
    }
}

fn conclude(html: &mut String, conclusion: &Conclusion) {
    let class = match conclusion.verdict {
        Verdict::Holds => "holds",
        Verdict::Partly => "partly",
        Verdict::Fails => "fails",
    };
    let _ = writeln!(
        html,
        "<p class=\"conclusion {class}\">The paper: {} Today this <b>{}</b>. {}</p>",
        escaped(&conclusion.paper),
        conclusion.verdict.name(),
        escaped(&conclusion.sentence)
    );
}
