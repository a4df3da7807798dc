#include "picture.hpp"

#include <feeler.h>

#include <cstdarg>
#include <cstdio>

namespace haptic {
namespace {

constexpr const char *paper = "#0d1320", *panel = "#141c2b", *grid = "#233047", *ink = "#e8eef7", *faint = "#8797ae";
constexpr const char *blue = "#4cc9f0", *amber = "#ffb454", *green = "#7ee787", *red = "#ff6b6b";

std::FILE *file = nullptr;

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void put(const char *format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    std::vfprintf(file, format, arguments);
    va_end(arguments);
}

struct colour {
    double red, green, blue;
};

colour mix(colour a, colour b, double part) {
    return {a.red + part * (b.red - a.red), a.green + part * (b.green - a.green), a.blue + part * (b.blue - a.blue)};
}

std::string hex(colour c) {
    char text[16];
    const auto byte = [](double value) { return static_cast<unsigned>(std::clamp(value, 0.0, 255.0)); };
    std::snprintf(text, sizeof text, "#%02x%02x%02x", byte(c.red), byte(c.green), byte(c.blue));
    return text;
}

template <std::size_t count>
colour along(const colour (&stops)[count], double part) {
    const double place = std::clamp(part, 0.0, 1.0) * (count - 1);
    const auto index = std::min<std::size_t>(static_cast<std::size_t>(place), count - 2);
    return mix(stops[index], stops[index + 1], place - static_cast<double>(index));
}

// From no force to the largest of the run.
colour force_colour(double part) {
    constexpr colour stops[] = {{255, 244, 214}, {255, 209, 102}, {255, 150, 60}, {239, 71, 91}, {190, 30, 120}};
    return along(stops, part);
}

std::string grouped(std::size_t number) {
    std::string text = std::to_string(number);
    for (std::size_t place = text.size(); place > 3; place -= 3) {
        text.insert(place - 3, ",");
    }
    return text;
}

void box(double x, double y, double width, double height, const char *title) {
    put("<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" rx=\"10\" fill=\"%s\"/>\n", x, y, width, height, panel);
    put("<text x=\"%g\" y=\"%g\" class=\"title\">%s</text>\n", x + 18, y + 26, title);
}

void tile(double x, double width, const char *label, const std::string &value, const char *fill) {
    put("<rect x=\"%g\" y=\"92\" width=\"%g\" height=\"66\" rx=\"10\" fill=\"%s\"/>\n", x, width, panel);
    put("<text x=\"%g\" y=\"116\" class=\"small\">%s</text>\n", x + 18, label);
    put("<text x=\"%g\" y=\"145\" class=\"number\" style=\"fill:%s\">%s</text>\n", x + 18, fill, value.c_str());
}

std::string microseconds(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 100 ? "%.1f µs" : "%.0f µs", value);
    return text;
}

// Looks down on the scene from the south-east; the results are picture coordinates and a depth that grows backwards.
class camera {
public:
    camera(double centre_x, double centre_y, double scale) : centre_x_(centre_x), centre_y_(centre_y), scale_(scale) {}

    vec3 see(vec3 p) const {
        const double along = cosine_turn * p.x + sine_turn * p.y;
        const double back = -sine_turn * p.x + cosine_turn * p.y;
        const double up = p.z;
        const double depth = cosine_tilt * back - sine_tilt * up;
        const double nearness = 1 / (1 + 1.1 * depth); // a little perspective
        return {centre_x_ + scale_ * along * nearness, centre_y_ - scale_ * (sine_tilt * back + cosine_tilt * up) * nearness,
                depth};
    }

private:
    static constexpr double cosine_turn = 0.866, sine_turn = 0.5, cosine_tilt = 0.80, sine_tilt = 0.60;
    double centre_x_, centre_y_, scale_;
};

// Whole tenths of a picture unit, each relative to the last, keep the file small.
class outline {
public:
    void add(vec3 p) {
        const int x = static_cast<int>(std::lround(10 * p.x)), y = static_cast<int>(std::lround(10 * p.y));
        if (first_) {
            put("M%d %d", x, y);
        } else {
            put("l%d %d", x - x_, y - y_);
        }
        first_ = false;
        x_ = x;
        y_ = y;
    }

private:
    bool first_ = true;
    int x_ = 0, y_ = 0;
};

void draw_surface(const camera &view) {
    constexpr int cells = 72, tints = 18, shades = 22;
    constexpr colour heights[] = {{28, 52, 94}, {34, 92, 128}, {58, 138, 140}, {134, 176, 138}, {214, 204, 158}, {244, 232, 206}};
    put("<style>");
    for (int tint = 0; tint < tints; ++tint) {
        for (int shade = 0; shade < shades; ++shade) {
            const colour lit = along(heights, tint / (tints - 1.0));
            const double light = 0.30 + 0.95 * shade / (shades - 1.0);
            const std::string fill = hex({lit.red * light, lit.green * light, lit.blue * light});
            put(".c%d{fill:%s;stroke:%s}", tint * shades + shade, fill.c_str(), fill.c_str());
        }
    }
    put("</style>\n<g transform=\"scale(.1)\" stroke-width=\"7\" stroke-linejoin=\"round\">\n");
    const vec3 light = {-0.62, -0.25, 0.74};
    const double width = 2 * surface_half_width / cells;
    int last = -1;
    // From back to front; within a row from its far end as well.
    for (int row = cells - 1; row >= 0; --row) {
        for (int column = 0; column < cells; ++column) {
            const double x = -surface_half_width + column * width, y = -surface_half_width + row * width;
            const auto at = [&](double px, double py) { return vec3{px, py, surface_relief(px, py)}; };
            const vec3 a = at(x, y), b = at(x + width, y), c = at(x + width, y + width), d = at(x, y + width);
            const vec3 normal = cross(c - a, d - b);
            const double lit = std::max(0.0, dot(normal, light) / length(normal));
            const double height = (a.z + c.z) / 2;
            const int tint = std::clamp(static_cast<int>(tints * (height + 0.010) / 0.027), 0, tints - 1);
            const int shade = std::clamp(static_cast<int>(shades * (lit - 0.25) / 0.75), 0, shades - 1);
            const int kind = tint * shades + shade;
            if (kind != last) {
                put("%s<path class=\"c%d\" d=\"", last < 0 ? "" : "\"/>\n", kind);
                last = kind;
            }
            outline cell;
            for (const vec3 &p : {a, b, c, d}) {
                cell.add(view.see(p));
            }
            put("z");
        }
    }
    put("\"/>\n</g>\n");
}

void draw_path(const camera &view, const recording &run, double largest_force) {
    constexpr std::size_t piece = 24; // steps that share a colour
    put("<g transform=\"scale(.1)\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n");
    for (int pass = 0; pass < 2; ++pass) { // a dark line below, so that the coloured one stands out
        for (std::size_t start = 0; start + 1 < run.samples.size(); start += piece) {
            const std::size_t end = std::min(start + piece, run.samples.size() - 1);
            const sample &middle = run.samples[(start + end) / 2];
            const bool touching = middle.contacts > 0;
            if (!touching && pass == 0) {
                continue;
            }
            if (pass == 0) {
                put("<path stroke=\"#0a0f1a\" stroke-opacity=\".55\" stroke-width=\"52\" d=\"");
            } else if (touching) {
                put("<path stroke=\"%s\" stroke-width=\"30\" d=\"",
                    hex(force_colour(length(middle.force) / largest_force)).c_str());
            } else {
                put("<path stroke=\"#ffffff\" stroke-opacity=\".45\" stroke-width=\"14\" stroke-dasharray=\"2 40\" d=\"");
            }
            outline line;
            for (std::size_t index = start; index <= end; index += index + 6 > end && index < end ? end - index : 6) {
                const sample &s = run.samples[index];
                line.add(view.see(touching ? s.point : s.tool.position));
            }
            put("\"/>\n");
        }
    }
    put("</g>\n");
}

void draw_tool(const camera &view, const recording &run, const triangle_mesh &tool, double largest_force) {
    // The tool is shown at the step with the largest force among those that leave all of it in the picture.
    std::size_t shown = run.samples.size() - 1;
    double strongest = -1;
    for (std::size_t index = run.samples.size() / 4; index < run.samples.size(); ++index) {
        const pose &tool_then = run.samples[index].tool;
        const vec3 grip = view.see(tool_then.position + rotate(tool_then.rotation, {0, 0, tool_length}));
        const double force = run.samples[index].contacts > 0 ? length(run.samples[index].force) : 0;
        if (force > strongest && grip.y > 205) {
            strongest = force;
            shown = index;
        }
    }
    const sample &at = run.samples[shown];
    struct facet {
        vec3 corners[3];
        double depth;
        std::string fill;
    };
    std::vector<facet> facets;
    const vec3 light = {-0.55, -0.45, 0.70};
    for (const auto &triangle : tool.triangles) {
        facet f;
        vec3 placed[3];
        for (int index = 0; index < 3; ++index) {
            placed[index] = at.tool.position + rotate(at.tool.rotation, tool.vertices[triangle[static_cast<std::size_t>(index)]]);
            f.corners[index] = view.see(placed[index]);
        }
        const vec3 u = f.corners[1] - f.corners[0], v = f.corners[2] - f.corners[0];
        const vec3 normal = cross(placed[1] - placed[0], placed[2] - placed[0]);
        if (u.x * v.y - u.y * v.x >= 0 || length(normal) == 0) {
            continue; // seen from behind
        }
        f.depth = f.corners[0].z + f.corners[1].z + f.corners[2].z;
        const double lit = std::clamp(dot(normal, light) / length(normal), -0.3, 1.0);
        f.fill = hex(mix({52, 60, 78}, {246, 248, 252}, 0.25 + 0.75 * std::max(0.0, lit)));
        facets.push_back(f);
    }
    std::sort(facets.begin(), facets.end(), [](const facet &a, const facet &b) { return a.depth > b.depth; });
    put("<g transform=\"scale(.1)\" stroke-width=\"5\" stroke-linejoin=\"round\">\n");
    for (const facet &f : facets) {
        put("<path fill=\"%s\" stroke=\"%s\" d=\"", f.fill.c_str(), f.fill.c_str());
        outline triangle;
        for (const vec3 &p : f.corners) {
            triangle.add(p);
        }
        put("z\"/>\n");
    }
    put("</g>\n");
    if (strongest > 0 && largest_force > 0) {
        const vec3 foot = view.see(at.point);
        const vec3 tip = view.see(at.point + (0.045 / largest_force) * at.force);
        put("<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" stroke-width=\"4\" marker-end=\"url(#arrow)\"/>\n", foot.x, foot.y,
            tip.x, tip.y, amber);
        put("<text x=\"%.1f\" y=\"%.1f\" class=\"label\" style=\"fill:%s\">%.1f N</text>\n", tip.x + 12, tip.y + 4, amber, strongest);
    }
}

void draw_scene(const recording &run, const triangle_mesh &tool, double largest_force) {
    box(40, 174, 640, 400, "What the hand felt");
    put("<clipPath id=\"scene\"><rect x=\"40\" y=\"174\" width=\"640\" height=\"400\" rx=\"10\"/></clipPath>"
        "<g clip-path=\"url(#scene)\">\n");
    const camera view(366, 384, 2020);
    draw_surface(view);
    draw_path(view, run, largest_force);
    draw_tool(view, run, tool, largest_force);
    put("</g>\n<g transform=\"translate(58 536)\">");
    for (int step = 0; step < 30; ++step) {
        put("<rect x=\"%d\" width=\"4.5\" height=\"8\" fill=\"%s\"/>", 4 * step, hex(force_colour(step / 29.0)).c_str());
    }
    put("<text x=\"0\" y=\"24\" class=\"small\">0</text><text x=\"120\" y=\"24\" class=\"small\" text-anchor=\"end\">%.1f N</text>"
        "</g>\n", largest_force);
}

// A logarithmic scale from 1 to 3000 microseconds.
double decades(double value) { return std::log10(std::clamp(value, 1.0, 3000.0)) / std::log10(3000.0); }

void draw_histogram(const recording &run, const percentiles &latency) {
    constexpr double left = 752, right = 1216, top = 232, bottom = 528;
    constexpr int bins = 84;
    box(700, 174, 540, 400, "Latency of a step: how often");
    int counts[bins] = {};
    for (const sample &s : run.samples) {
        ++counts[std::min(bins - 1, static_cast<int>(bins * decades(s.microseconds)))];
    }
    const double top_count = std::log10(1.0 + static_cast<double>(run.samples.size()));
    for (double count = 1; std::log10(1 + count) < top_count; count *= 10) {
        const double y = bottom - (bottom - top) * std::log10(1 + count) / top_count;
        put("<path d=\"M%g %.1fH%g\" stroke=\"%s\"/><text x=\"%g\" y=\"%.1f\" class=\"small\" text-anchor=\"end\">%s</text>\n", left,
            y, right, grid, left - 8, y + 4, grouped(static_cast<std::size_t>(count)).c_str());
    }
    for (const double tick : {1.0, 10.0, 100.0}) {
        const double x = left + (right - left) * decades(tick);
        put("<path d=\"M%.1f %gV%g\" stroke=\"%s\"/><text x=\"%.1f\" y=\"%g\" class=\"small\" text-anchor=\"middle\">%g µs</text>\n",
            x, top, bottom, grid, x, bottom + 20, tick);
    }
    for (int bin = 0; bin < bins; ++bin) {
        if (counts[bin] > 0) {
            const double width = (right - left) / bins;
            const double height = (bottom - top) * std::log10(1.0 + counts[bin]) / top_count;
            put("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"1\" fill=\"url(#bars)\"/>\n",
                left + bin * width + 0.4, bottom - height, width - 0.8, height);
        }
    }
    const double deadline = left + (right - left) * decades(1000);
    put("<path d=\"M%.1f %gV%g\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"5 4\"/>", deadline, top - 6, bottom, red);
    put("<text x=\"%.1f\" y=\"%g\" class=\"small\" text-anchor=\"middle\" style=\"fill:%s\">1 ms deadline</text>\n", deadline,
        bottom + 20, red);
    const struct {
        const char *name;
        double value;
    } marks[] = {{"median", latency.median}, {"p99", latency.p99}, {"p99.9", latency.p999}};
    double label_y = top - 12, previous = -100;
    for (const auto &mark : marks) {
        const double x = left + (right - left) * decades(mark.value);
        label_y = x - previous < 52 ? label_y + 15 : top - 12; // labels that would meet go one below the other
        put("<path d=\"M%.1f %.1fV%g\" stroke=\"%s\" stroke-opacity=\".8\"/>"
            "<text x=\"%.1f\" y=\"%.1f\" class=\"small\" style=\"fill:%s\">%s</text>\n",
            x, label_y - 9, bottom, ink, x + 4, label_y, ink, mark.name);
        previous = x;
    }
}

// A band between the smallest and the largest value of each column of pixels, and a line through their middle.
template <typename Value, typename Scale>
void draw_series(const recording &run, double top, double height, const char *fill, Value value, Scale scale) {
    constexpr double left = 112, right = 1216;
    const std::size_t count = run.samples.size();
    const std::size_t columns = std::min<std::size_t>(552, count);
    std::string upper, lower, line;
    for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t begin = column * count / columns, end = std::max(begin + 1, (column + 1) * count / columns);
        double low = value(run.samples[begin]), high = low, sum = 0;
        for (std::size_t index = begin; index < end; ++index) {
            const double v = value(run.samples[index]);
            low = std::min(low, v);
            high = std::max(high, v);
            sum += v;
        }
        const double x = left + (right - left) * (static_cast<double>(column) + 0.5) / static_cast<double>(columns);
        const auto y = [&](double v) { return top + height * (1 - std::clamp(scale(v), 0.0, 1.0)); };
        char text[64];
        std::snprintf(text, sizeof text, "%c%.1f %.1f", column == 0 ? 'M' : 'L', x, y(high));
        upper += text;
        std::snprintf(text, sizeof text, "L%.1f %.1f", x, y(low) + 0.6);
        lower.insert(0, text);
        std::snprintf(text, sizeof text, "%c%.1f %.1f", column == 0 ? 'M' : 'L', x,
                      y(sum / static_cast<double>(end - begin)));
        line += text;
    }
    put("<path d=\"%s%sz\" fill=\"%s\" fill-opacity=\".38\"/>\n", upper.c_str(), lower.c_str(), fill);
    put("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" stroke-linejoin=\"round\"/>\n", line.c_str(), fill);
}

void tick(double top, double height, double part, const char *text) {
    const double y = top + height * (1 - part);
    put("<path d=\"M112 %.1fH1216\" stroke=\"%s\"/><text x=\"102\" y=\"%.1f\" class=\"small\" text-anchor=\"end\">%s</text>\n", y, grid,
        y + 4, text);
}

// Steps of 1, 2 or 5 that divide a range into at most five parts.
double nice_step(double range) {
    double step = std::pow(10, std::floor(std::log10(range)));
    while (range / step > 5) {
        step *= 2;
    }
    while (range / step < 2.5) {
        step /= 2;
    }
    return step;
}

void draw_force_panel(const recording &run, double top, double largest) {
    constexpr double height = 80;
    box(40, top, 1200, 136, "Force on the hand, N");
    const double step = nice_step(largest);
    for (double at = 0; at <= largest * 1.001; at += step) {
        char text[32];
        std::snprintf(text, sizeof text, "%g", at);
        tick(top + 38, height, at / largest, text);
    }
    const auto scale = [largest](double v) { return v / largest; };
    draw_series(run, top + 38, height, blue, [](const sample &s) { return length(s.all_push); }, scale);
    draw_series(run, top + 38, height, amber, [](const sample &s) { return length(s.push); }, scale);
    put("<text x=\"1216\" y=\"%g\" class=\"small\" text-anchor=\"end\">amber: pushed by local minima, as felt; blue: what all "
        "contacts within the margin would push with</text>\n", top + 26);
}

void draw_distance_panel(const recording &run, double top) {
    constexpr double height = 80;
    box(40, top, 1200, 136, "Distance, mm");
    const auto scale = [](double millimetres) { return std::log10(std::max(millimetres, 0.1) / 0.1) / std::log10(300.0); };
    for (const double at : {0.1, 1.0, 10.0}) {
        char text[32];
        std::snprintf(text, sizeof text, "%g", at);
        tick(top + 38, height, scale(at), text);
    }
    const double margin = top + 38 + height * (1 - scale(1000 * contact_margin));
    put("<path d=\"M112 %.1fH1216\" stroke=\"%s\" stroke-dasharray=\"5 4\"/>"
        "<text x=\"1216\" y=\"%g\" class=\"small\" text-anchor=\"end\">below the dashed line the surface pushes back</text>\n",
        margin, faint, top + 26);
    draw_series(run, top + 38, height, blue, [](const sample &s) { return 1000 * s.distance; }, scale);
}

void draw_latency_panel(const recording &run, double top) {
    constexpr double height = 80;
    box(40, top, 1200, 160, "Latency of a step, µs");
    for (const double at : {1.0, 10.0, 100.0}) {
        char text[32];
        std::snprintf(text, sizeof text, "%g", at);
        tick(top + 38, height, decades(at), text);
    }
    draw_series(run, top + 38, height, green, [](const sample &s) { return s.microseconds; }, decades);
    const double y = top + 38 + height * (1 - decades(1000));
    put("<path d=\"M112 %.1fH1216\" stroke=\"%s\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"/>"
        "<text x=\"102\" y=\"%.1f\" class=\"small\" text-anchor=\"end\" style=\"fill:%s\">1000</text>\n", y, red, y + 4, red);
    const double duration = run.samples.back().seconds;
    const double step = nice_step(duration / 2);
    for (double at = 0; at <= duration; at += step) {
        put("<text x=\"%.1f\" y=\"%g\" class=\"small\" text-anchor=\"middle\">%g s</text>\n", 112 + 1104 * at / duration, top + 144,
            at);
    }
}

} // namespace

bool write_picture(const std::string &path, const recording &run, const triangle_mesh &tool) {
    if (run.samples.size() < 2) {
        return false;
    }
    file = std::fopen(path.c_str(), "w");
    if (file == nullptr) {
        return false;
    }
    const percentiles latency = latency_of(run);
    double largest_force = 0.5;
    for (const sample &s : run.samples) {
        largest_force = std::max({largest_force, length(s.force), length(s.push), length(s.all_push)});
    }
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1280 1080\" width=\"1280\" height=\"1080\" "
        "font-family=\"Inter,'Segoe UI','Helvetica Neue',Arial,sans-serif\">\n"
        "<title>feeler: a haptic loop at 1 kHz</title>\n"
        "<style>text{fill:%s}.small{font-size:13px;fill:%s}.title{font-size:15px;font-weight:600}"
        ".number{font-size:25px;font-weight:650}.label{font-size:17px;font-weight:650;paint-order:stroke;stroke:%s;stroke-width:4px}</style>\n", ink, faint, paper);
    put("<defs><linearGradient id=\"bars\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\"><stop offset=\"0\" stop-color=\"%s\"/>"
        "<stop offset=\"1\" stop-color=\"#2f8f6b\"/></linearGradient>"
        "<marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"6\" refY=\"5\" markerWidth=\"4.5\" markerHeight=\"4.5\" orient=\"auto\">"
        "<path d=\"M0 0L10 5L0 10z\" fill=\"%s\"/></marker></defs>\n", green, amber);
    put("<rect width=\"1280\" height=\"1080\" rx=\"18\" fill=\"%s\"/>\n", paper);
    put("<text x=\"40\" y=\"50\" font-size=\"27\" font-weight=\"700\">feeler: a haptic loop at 1 kHz</text>\n");
    put("<text x=\"40\" y=\"74\" font-size=\"15\" style=\"fill:%s\">%s triangles feel %s triangles for %.0f s: exact distance, local "
        "minima within %g mm and the force, every millisecond. feeler %s, %s, one thread.</text>\n",
        faint, grouped(run.tool_triangles).c_str(), grouped(run.surface_triangles).c_str(),
        std::ceil(run.samples.back().seconds), 1000 * contact_margin, feeler_version_string(), feeler_instruction_set());
    tile(40, 186, "median latency", microseconds(latency.median), green);
    tile(243, 186, "99 % within", microseconds(latency.p99), green);
    tile(446, 186, "99.9 % within", microseconds(latency.p999), green);
    tile(649, 186, "largest", microseconds(latency.largest), latency.largest < 1000 ? green : red);
    tile(852, 186, "deadlines missed", grouped(run.misses), run.misses ? red : ink);
    tile(1055, 185, "allocations in the loop", run.allocations < 0 ? "not counted" : std::to_string(run.allocations),
         run.allocations > 0 ? red : ink);
    draw_scene(run, tool, largest_force);
    draw_histogram(run, latency);
    draw_distance_panel(run, 590);
    draw_force_panel(run, 742, largest_force);
    draw_latency_panel(run, 894);
    put("</svg>\n");
    const bool good = std::ferror(file) == 0;
    return std::fclose(file) == 0 && good;
}

} // namespace haptic
