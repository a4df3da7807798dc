//! [Larsen 1999].

use super::published::Published;
use super::report::Section;
use super::settings::Settings;
use super::{swept_costs, swept_cuts, swept_figures, swept_search, swept_tables};

pub fn run(settings: &Settings) -> Section {
    let published = Published::of("swept_sphere_volumes");
    let mut section = Section::new(
        "swept_sphere_volumes",
        "Larsen, Gottschalk, Lin, Manocha: Fast Proximity Queries with Swept Sphere Volumes, 1999.",
    );
    swept_costs::run(settings, &published, &mut section);
    swept_tables::run(settings, &published, &mut section);
    swept_cuts::run(settings, &mut section);
    swept_search::run(settings, &published, &mut section);
    swept_figures::run(settings, &mut section);
    section
}
