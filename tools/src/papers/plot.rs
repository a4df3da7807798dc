//! Line charts as SVG.

use std::fmt::Write;

/// Colours that differ for most eyes, in order of the curves.
const COLOURS: [&str; 8] = ["#1b6ca8", "#d1495b", "#2e8b57", "#b8860b", "#6a4c93", "#00798c", "#8d5524", "#444444"];
const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 380.0;
/// Left, top, right and bottom of the field.
const FIELD: (f64, f64, f64, f64) = (84.0, 18.0, 610.0, 318.0);

#[derive(Clone, Debug)]
pub struct Axis {
    pub label: String,
    pub logarithmic: bool,
}

#[derive(Clone, Debug)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    /// Numbers of the paper are dashed.
    pub dashed: bool,
}

#[derive(Clone, Debug)]
pub struct Chart {
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
}

impl Chart {
    pub fn new(x: &str, y: &str) -> Self {
        let axis = |label: &str| Axis { label: label.to_string(), logarithmic: false };
        Self { x: axis(x), y: axis(y), series: Vec::new() }
    }

    pub fn logarithmic(mut self, x: bool, y: bool) -> Self {
        (self.x.logarithmic, self.y.logarithmic) = (x, y);
        self
    }

    pub fn curve(&mut self, name: &str, points: Vec<(f64, f64)>) {
        self.series.push(Series { name: name.to_string(), points, dashed: false });
    }

    pub fn dashed(&mut self, name: &str, points: Vec<(f64, f64)>) {
        self.series.push(Series { name: name.to_string(), points, dashed: true });
    }

    pub fn svg(&self, title: &str) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x = Scale::new(&self.x, points().map(|point| point.0), (FIELD.0, FIELD.2));
        let y = Scale::new(&self.y, points().map(|point| point.1), (FIELD.3, FIELD.1));
        let mut svg =
            format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n", escaped(title));
        let (left, top, right, bottom) = FIELD;
        for (place, text) in x.ticks() {
            let _ = writeln!(
                svg,
                "<line class=\"grid\" x1=\"{place:.1}\" y1=\"{top}\" x2=\"{place:.1}\" y2=\"{bottom}\"/>"
            );
            let _ =
                writeln!(svg, "<text x=\"{place:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>", bottom + 18.0);
        }
        for (place, text) in y.ticks() {
            let _ = writeln!(
                svg,
                "<line class=\"grid\" x1=\"{left}\" y1=\"{place:.1}\" x2=\"{right}\" y2=\"{place:.1}\"/>"
            );
            let _ =
                writeln!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>", left - 8.0, place + 4.0);
        }
        let _ = writeln!(
            svg,
            "<rect class=\"field\" x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\"/>",
            right - left,
            bottom - top
        );
        let middle = (0.5 * (left + right), 0.5 * (top + bottom));
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            middle.0,
            bottom + 44.0,
            escaped(&self.x.label)
        );
        let _ = writeln!(
            svg,
            "<text transform=\"translate(20 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            middle.1,
            escaped(&self.y.label)
        );
        for (number, series) in self.series.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let dash = if series.dashed { " stroke-dasharray=\"6 4\"" } else { "" };
            let places: Vec<(f64, f64)> =
                series.points.iter().map(|point| (x.place(point.0), y.place(point.1))).collect();
            let line: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            let _ = writeln!(
                svg,
                "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash} points=\"{}\"/>",
                line.join(" ")
            );
            for (x, y) in &places {
                let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
            }
            let height = top + 10.0 + 20.0 * number as f64;
            let _ = writeln!(
                svg,
                "<line x1=\"{}\" y1=\"{height}\" x2=\"{}\" y2=\"{height}\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>",
                right + 16.0,
                right + 42.0
            );
            let _ =
                writeln!(svg, "<text x=\"{}\" y=\"{}\">{}</text>", right + 48.0, height + 4.0, escaped(&series.name));
        }
        svg + "</svg>\n"
    }
}

/// Where numbers are on an axis.
struct Scale {
    logarithmic: bool,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(axis: &Axis, values: impl Iterator<Item = f64>, (from, to): (f64, f64)) -> Self {
        let logarithmic = axis.logarithmic;
        let shown = |value: f64| if logarithmic { value.log10() } else { value };
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.map(shown).filter(|value| value.is_finite()) {
            (low, high) = (low.min(value), high.max(value));
        }
        if !(low <= high) {
            (low, high) = (0.0, 1.0);
        }
        if !logarithmic && low > 0.0 && low < 0.6 * high {
            low = 0.0;
        }
        let margin = if high > low { 0.04 * (high - low) } else { 0.5 };
        let low = if !logarithmic && low == 0.0 { 0.0 } else { low - margin };
        Self { logarithmic, low, high: high + margin, from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let shown = if self.logarithmic { value.max(1e-300).log10() } else { value };
        self.from + (self.to - self.from) * ((shown - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Places and texts.
    fn ticks(&self) -> Vec<(f64, String)> {
        let mut ticks = Vec::new();
        if self.logarithmic {
            let decades = self.high - self.low;
            let steps: &[f64] = match decades {
                ..1.2 => &[1.0, 2.0, 3.0, 5.0, 7.0],
                ..2.6 => &[1.0, 2.0, 5.0],
                _ => &[1.0],
            };
            for decade in self.low.floor() as i32..=self.high.ceil() as i32 {
                for step in steps {
                    let value = step * 10f64.powi(decade);
                    if (self.low..=self.high).contains(&value.log10()) {
                        ticks.push((self.place(value), label(value)));
                    }
                }
            }
            return ticks;
        }
        let rough = (self.high - self.low) / 6.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = power * [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= rough).unwrap_or(10.0);
        let mut number = (self.low / step).ceil();
        while number * step <= self.high {
            ticks.push((self.place(number * step), label(number * step)));
            number += 1.0;
        }
        ticks
    }
}

/// A number that is short enough for an axis.
fn label(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_string(),
        ..1e-3 => format!("{value:.0e}"),
        1e5.. => format!("{value:.0e}"),
        _ => format!("{}", (value * 1e6).round() / 1e6),
    }
}

/// Text inside of markup.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
