// A point with three degrees of freedom on a mesh: the god-object or proxy of haptic rendering, with friction.
//
// The device is where the hand holds it, often inside of the object. The proxy is a small ball that stays outside: every
// millisecond it moves towards the device until the surface stops it, slides along what stopped it, and the hand feels a
// spring between the two. Two questions to one model do all of it: feeler_model_cast moves the ball, and
// feeler_model_closest_point checks that the ball is outside. No pair, no memory between steps, any number of threads.
#include <feeler.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

namespace {

constexpr double pi = 3.14159265358979323846;

struct vec3 {
    double x = 0, y = 0, z = 0;
    const double *data() const { return &x; }
};
vec3 operator+(vec3 a, vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
vec3 operator-(vec3 a, vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
vec3 operator*(double s, vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
double dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
vec3 cross(vec3 a, vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
double length(vec3 a) { return std::sqrt(dot(a, a)); }
vec3 from(const double *numbers) { return {numbers[0], numbers[1], numbers[2]}; }

// The proxy of one device on one model.
class proxy_point {
public:
    // radius: of the ball; friction: tangential over normal force at which it begins to slip.
    proxy_point(const feeler::model &model, vec3 start, double radius, double friction)
        : model_(model), place_(start), radius_(radius), friction_(friction) {}

    // Moves the proxy as far towards the device as the surface lets it. False when a query failed.
    bool follow(vec3 device) {
        std::array<vec3, 3> planes; // normals of what stops the ball
        std::size_t count = 0;
        vec3 goal = device;
        slips_ = false;
        for (int turn = 0; turn < 4; ++turn) {
            // The ball is kept a little smaller than it is, so that a ball that rests on the surface is free to leave it.
            feeler::cast_params params;
            params.radius = radius_ * (1 - clearance);
            feeler::hit hit;
            const auto met = model_.cast(place_.data(), goal.data(), params, &hit, 1);
            if (!met) {
                return false;
            }
            if (met->found == 0) {
                place_ = goal;
                break;
            }
            // Stop short of the contact, so that the next cast begins outside.
            const vec3 motion = goal - place_;
            const double share = std::max(0.0, hit.time - clearance * radius_ / std::max(length(motion), 1e-12));
            place_ = place_ + share * motion;
            if (count == planes.size()) {
                break;
            }
            planes[count++] = from(hit.normal);
            goal = place_ + allowed(device - place_, planes, count);
            if (count == 1 && sticks(device, planes[0], goal)) {
                break;
            }
            slips_ = true;
        }
        touches_ = count > 0;
        return true;
    }

    vec3 place() const { return place_; }
    bool touches() const { return touches_; }
    bool slips() const { return slips_; }

private:
    // The part of a motion that leads into none of the planes: along one plane, along the line of two, or nowhere.
    static vec3 allowed(vec3 motion, const std::array<vec3, 3> &planes, std::size_t count) {
        const vec3 last = planes[count - 1];
        vec3 along = motion - std::min(0.0, dot(motion, last)) * last;
        if (count == 2 && dot(along, planes[0]) < 0) {
            const vec3 line = cross(planes[0], last);
            const double squared = dot(line, line);
            along = squared > 1e-12 ? (dot(motion, line) / squared) * line : vec3{};
        }
        return count == 3 ? vec3{} : along;
    }

    // Coulomb: what pulls along the surface is less than friction times what presses on it. Otherwise the goal is drawn
    // back by what friction holds.
    bool sticks(vec3 device, vec3 normal, vec3 &goal) const {
        const double pressed = std::max(0.0, -dot(device - place_, normal));
        const vec3 pulled = goal - place_;
        const double pull = length(pulled), held = friction_ * pressed;
        if (pull <= held) {
            return true;
        }
        goal = place_ + ((pull - held) / pull) * pulled;
        return false;
    }

    static constexpr double clearance = 1e-3; // of the radius

    const feeler::model &model_;
    vec3 place_;
    double radius_, friction_;
    bool touches_ = false, slips_ = false;
};

// A ring in the plane z = 0, closed and wound outward. Metres.
feeler::model make_ring(double radius, double thickness, std::uint32_t around, std::uint32_t across) {
    std::vector<std::array<double, 3>> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (std::uint32_t i = 0; i < around; ++i) {
        for (std::uint32_t j = 0; j < across; ++j) {
            const double u = 2 * pi * i / around, v = 2 * pi * j / across;
            const double distance = radius + thickness * std::cos(v);
            vertices.push_back({distance * std::cos(u), distance * std::sin(u), thickness * std::sin(v)});
            const auto at = [&](std::uint32_t a, std::uint32_t b) { return (a % around) * across + b % across; };
            triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    return feeler::model(vertices, triangles);
}

// The hand: down onto the ring, around it while it presses, and up again.
vec3 hand_at(double time) {
    const double height = 0.03 * std::max(0.0, 1 - time) + 0.03 * std::max(0.0, time - 7);
    const double angle = 0.8 * time;
    const double distance = 0.05 + 0.004 * std::sin(2.1 * time);
    return {distance * std::cos(angle), distance * std::sin(angle), 0.006 + height};
}

int run() {
    constexpr double stiffness = 800, radius = 0.001; // N/m, m
    constexpr int steps = 8000;
    const feeler::model ring = make_ring(0.05, 0.012, 240, 80);
    proxy_point proxy(ring, hand_at(0), radius, 0.35);
    feeler::closest_params with_side;
    with_side.flags = FEELER_CLOSEST_SIDE;
    int touching = 0, slipping = 0, inside = 0;
    double largest = 0, jump = 0, nearest = 1;
    vec3 before = proxy.place();
    std::vector<double> times;
    times.reserve(steps);
    for (int step = 0; step < steps; ++step) {
        const vec3 device = hand_at(0.001 * step);
        const auto start = std::chrono::steady_clock::now();
        if (!proxy.follow(device)) {
            std::fprintf(stderr, "proxy_point: %s\n", feeler_last_error_message());
            return 1;
        }
        const vec3 force = stiffness * (proxy.place() - device);
        times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
        touching += proxy.touches();
        slipping += proxy.slips();
        largest = std::max(largest, proxy.touches() ? length(force) : 0.0);
        jump = std::max(jump, length(proxy.place() - before));
        before = proxy.place();
        // Not part of the loop: is the centre of the ball outside, and how near to the surface?
        const auto check = ring.closest_point(before.data(), with_side);
        inside += !check || check->side != FEELER_SIDE_OUTSIDE;
        nearest = std::min(nearest, check->distance);
    }
    std::sort(times.begin(), times.end());
    std::printf("ring of %llu triangles, %d steps of 1 ms\n", static_cast<unsigned long long>(ring.info().triangle_count), steps);
    std::printf("touching         %d steps, slipping in %d of them\n", touching, slipping);
    std::printf("proxy            inside %d times, never nearer than %.4f mm (radius %.4f mm), largest step %.3f mm\n", inside,
                1000 * nearest, 1000 * radius, 1000 * jump);
    std::printf("force            up to %.2f N\n", largest);
    std::printf("time of a step   median %.2f us, largest %.2f us\n", times[times.size() / 2], times.back());
    return inside == 0 ? 0 : 1;
}

} // namespace

int main() {
    try {
        return run();
    } catch (const std::exception &problem) {
        std::fprintf(stderr, "proxy_point: %s\n", problem.what());
        return 1;
    }
}
