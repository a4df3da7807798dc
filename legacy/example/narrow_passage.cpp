// A body with a handle goes through a hole in a wall: a motion planner of OMPL, which asks tens of thousands of times
// whether a pose is free. The questions go through PQP's interface or, by a switch, straight to feeler.
//
//   narrow_passage [--language pqp|feeler] [--seconds S] [--seed N]
#include <PQP.h>
#include <feeler.hpp>

#include <ompl/base/spaces/SE3StateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace ob = ompl::base;
namespace og = ompl::geometric;

namespace {

using Point = std::array<double, 3>;
using Triangles = std::vector<std::array<Point, 3>>;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// The surface of a box, every side cut into n x n squares of two triangles, as scanned parts are.
void add_box(Triangles &triangles, Point low, Point high, int n) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (const double level : {low[axis], high[axis]}) {
            auto corner = [&](int i, int j) {
                Point p;
                p[axis] = level;
                p[u] = low[u] + (high[u] - low[u]) * i / n;
                p[v] = low[v] + (high[v] - low[v]) * j / n;
                return p;
            };
            for (int i = 0; i < n; ++i) {
                for (int j = 0; j < n; ++j) {
                    triangles.push_back({corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)});
                    triangles.push_back({corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)});
                }
            }
        }
    }
}

/// A wall at x = 0 with a square hole, 4 wide and high; units are metres.
Triangles wall(double hole) {
    Triangles t;
    const double h = hole / 2, thick = 0.1;
    add_box(t, {-thick, -2, -2}, {thick, -h, 2}, 24);
    add_box(t, {-thick, h, -2}, {thick, 2, 2}, 24);
    add_box(t, {-thick, -h, -2}, {thick, h, -h}, 16);
    add_box(t, {-thick, -h, h}, {thick, h, 2}, 16);
    return t;
}

/// A bar with a handle across: it fits through the hole only lengthwise, and has to turn on the way.
Triangles body() {
    Triangles t;
    add_box(t, {-0.6, -0.08, -0.08}, {0.6, 0.08, 0.08}, 16);
    add_box(t, {-0.08, -0.08, 0.08}, {0.08, 0.08, 0.4}, 12);
    return t;
}

/// Is the body free of the wall at a pose? Counts the questions and the time that they take.
class Checker {
public:
    virtual ~Checker() = default;
    bool free(const ob::SE3StateSpace::StateType &state) {
        const double start = seconds();
        const bool answer = !touching(state);
        time += seconds() - start;
        ++questions;
        return answer;
    }
    double time = 0.0;
    long questions = 0;

private:
    virtual bool touching(const ob::SE3StateSpace::StateType &state) = 0;
};

/// In PQP's language, as an old planner has it.
class PqpChecker : public Checker {
public:
    PqpChecker(const Triangles &moving, const Triangles &fixed) {
        fill(body_, moving);
        fill(wall_, fixed);
    }

private:
    static void fill(PQP_Model &model, const Triangles &triangles) {
        model.BeginModel(static_cast<int>(triangles.size()));
        int id = 0;
        for (const auto &t : triangles) model.AddTri(t[0].data(), t[1].data(), t[2].data(), id++);
        model.EndModel();
    }
    bool touching(const ob::SE3StateSpace::StateType &state) override {
        static PQP_REAL still[3] = {0, 0, 0}, upright[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        const auto &q = state.rotation();
        const double x = q.x, y = q.y, z = q.z, w = q.w;
        PQP_REAL R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                            {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                            {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
        PQP_REAL T[3] = {state.getX(), state.getY(), state.getZ()};
        PQP_CollideResult result;
        PQP_Collide(&result, R, T, &body_, upright, still, &wall_, PQP_FIRST_CONTACT);
        return result.Colliding() != 0;
    }
    PQP_Model body_, wall_;
};

/// In feeler's own language: the wall never moves, and the quaternion needs no matrix.
class OwnChecker : public Checker {
public:
    OwnChecker(const Triangles &moving, const Triangles &fixed) : body_(make(moving)), wall_(make(fixed)), pair_(body_, wall_) {}

private:
    static feeler::model make(const Triangles &triangles) {
        feeler_mesh mesh = feeler_mesh_default();
        mesh.scalar = FEELER_SCALAR_F64;
        mesh.vertices = triangles.data();
        mesh.vertex_count = 3 * triangles.size();
        return feeler::model(mesh);
    }
    bool touching(const ob::SE3StateSpace::StateType &state) override {
        const auto &q = state.rotation();
        const double xyzw[4] = {q.x, q.y, q.z, q.w}, position[3] = {state.getX(), state.getY(), state.getZ()};
        feeler_transform pose;
        feeler_transform_from_quaternion(xyzw, position, &pose);
        feeler_pair_set_transforms(pair_.get(), &pose, nullptr);
        feeler_pair_collide(pair_.get(), nullptr, &result_);
        return result_.colliding != 0;
    }
    feeler::model body_, wall_;
    feeler::pair pair_;
    feeler_collide_result result_ = feeler_collide_result_default();
};

int usage() {
    std::fprintf(stderr, "usage: narrow_passage [--language pqp|feeler] [--seconds S] [--seed N]\n");
    return 2;
}

} // namespace

int main(int count, char **arguments) {
    std::string language = "pqp";
    double limit = 60.0;
    unsigned seed = 1;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string option = arguments[i], value = arguments[i + 1];
        if (option == "--language" && (value == "pqp" || value == "feeler")) {
            language = value;
        } else if (option == "--seconds" && std::atof(value.c_str()) > 0.0) {
            limit = std::atof(value.c_str());
        } else if (option == "--seed" && std::atoi(value.c_str()) > 0) {
            seed = static_cast<unsigned>(std::atoi(value.c_str()));
        } else {
            return usage();
        }
    }
    if (count % 2 == 0) return usage();
    ompl::msg::setLogLevel(ompl::msg::LOG_WARN);
    ompl::RNG::setSeed(seed);

    const Triangles moving = body(), fixed = wall(0.7);
    std::unique_ptr<Checker> checker;
    if (language == "pqp") {
        checker = std::make_unique<PqpChecker>(moving, fixed);
    } else {
        checker = std::make_unique<OwnChecker>(moving, fixed);
    }

    auto space = std::make_shared<ob::SE3StateSpace>();
    ob::RealVectorBounds bounds(3);
    bounds.setLow(-2.0);
    bounds.setHigh(2.0);
    space->setBounds(bounds);
    og::SimpleSetup setup(space);
    setup.setStateValidityChecker([&](const ob::State *state) { return checker->free(*state->as<ob::SE3StateSpace::StateType>()); });
    setup.getSpaceInformation()->setStateValidityCheckingResolution(0.002); // of the space: about 2 cm
    ob::ScopedState<ob::SE3StateSpace> start(space), goal(space);
    start->setXYZ(-1.5, 0.0, 0.0);
    start->rotation().setAxisAngle(0, 0, 1, 1.2);
    goal->setXYZ(1.5, 0.3, -0.2);
    goal->rotation().setAxisAngle(0, 1, 0, 1.0);
    setup.setStartAndGoalStates(start, goal);
    setup.setPlanner(std::make_shared<og::RRTConnect>(setup.getSpaceInformation()));

    const double before = seconds();
    const ob::PlannerStatus status = setup.solve(limit);
    const double took = seconds() - before;
    const bool solved = status == ob::PlannerStatus::EXACT_SOLUTION;
    std::printf("%zu triangles through a hole in %zu, questions in the language of %s\n", moving.size(), fixed.size(), language.c_str());
    std::printf("%s after %.3f s, %ld questions, %.2f us each\n", solved ? "a way through" : "no way found", took, checker->questions,
                1e6 * checker->time / static_cast<double>(checker->questions));
    std::printf("share of the time in queries %.0f %%\n", 100.0 * checker->time / took);
    if (!solved) return 1;
    og::PathGeometric path = setup.getSolutionPath();
    path.interpolate();
    const bool valid = path.check();
    std::printf("the way has %zu poses, %s\n", path.getStateCount(), valid ? "all of them free" : "and one of them touches the wall");
    return valid ? 0 : 1;
}
