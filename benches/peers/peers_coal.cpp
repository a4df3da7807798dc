// Coal (formerly hpp-fcl) from the PyPI wheel, which carries headers and the shared library.
#include "library.hpp"

#ifndef PEERS_WITH_COAL

std::unique_ptr<Library> make_coal(const std::string &, const std::string &) { return nullptr; }

#else

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>

#include <limits>
#include <stdexcept>

namespace {

using Geometry = coal::CollisionGeometry;

template <class Volume>
std::shared_ptr<Geometry> build_tree(const Mesh &mesh)
{
    std::vector<coal::Vec3s> vertices;
    vertices.reserve(mesh.vertices.size());
    for (const Vector3 &v : mesh.vertices)
        vertices.emplace_back(v.x, v.y, v.z);
    std::vector<coal::Triangle> triangles;
    triangles.reserve(mesh.triangles.size());
    for (const auto &t : mesh.triangles)
        triangles.emplace_back(t[0], t[1], t[2]);
    auto model = std::make_shared<coal::BVHModel<Volume>>();
    model->beginModel(static_cast<unsigned>(triangles.size()), static_cast<unsigned>(vertices.size()));
    model->addSubModel(vertices, triangles);
    model->endModel();
    model->computeLocalAABB();
    return model;
}

std::shared_ptr<Geometry> build_tree(const std::string &volume, const Mesh &mesh)
{
    if (volume == "obb")
        return build_tree<coal::OBB>(mesh);
    if (volume == "obbrss")
        return build_tree<coal::OBBRSS>(mesh);
    if (volume == "rss")
        return build_tree<coal::RSS>(mesh);
    if (volume == "kios")
        return build_tree<coal::kIOS>(mesh);
    throw std::runtime_error("Coal: unknown volume " + volume);
}

struct Trees {
    std::shared_ptr<Geometry> a, b;
};

class Coal final : public Library {
public:
    Coal(std::string collide_volume, std::string distance_volume)
        : collide_volume_(std::move(collide_volume)), distance_volume_(std::move(distance_volume))
    {
    }

    std::string name() const override { return "Coal"; }

    std::string description() const override
    {
        return "Coal " COAL_VERSION ", " + collide_volume_ + " for collide, contacts and tolerance, " + distance_volume_
            + " for distance; approx is exact distance, tolerance is collide with a security margin";
    }

    void load(const Workload &workload) override
    {
        workload_ = &workload;
        collide_ = {};
        distance_ = {};
        build_seconds_ = 0;
        poses_.clear();
        for (const Pose &pose : workload.poses) {
            const coal::Matrix3s rotation = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(pose.rotation.data());
            const coal::Vec3s translation = Eigen::Map<const Eigen::Vector3d>(pose.translation.data());
            poses_.emplace_back(rotation, translation);
        }
    }

    void prepare(Query query) override { trees(query); }

    Pass pass(const Clock &clock, ClockKind kind, Query query, std::size_t count, double limit_seconds) override
    {
        const Trees &pair = trees(query);
        const Geometry *a = pair.a.get(), *b = pair.b.get();
        const coal::Transform3s identity;
        Pass pass;
        pass.answers.resize(count);
        if (measures_distance(query)) {
            const coal::DistanceRequest request(false, false, query == Query::approx ? approx_relative_error : 0);
            coal::DistanceResult result;
            pass.nanoseconds = timed_pass(
                clock, kind, count, limit_seconds,
                [&](std::size_t i) {
                    result.clear();
                    coal::distance(a, identity, b, poses_[i], request, result);
                },
                [&](std::size_t i) { pass.answers[i] = {result.min_distance, result.min_distance}; });
        } else {
            const std::size_t most = query == Query::contacts ? std::numeric_limits<int>::max() : 1;
            coal::CollisionRequest request(coal::NO_REQUEST, most);
            // Boxes count as overlapping up to this gap. The default of 1e-3 units is a lot for a model of
            // 0.1 units: dense_armadillo takes 2.5 times as long with it.
            request.break_distance = 0;
            if (query == Query::tolerance)
                request.security_margin = workload_->tolerance;
            pass.nanoseconds = timed_pass(
                clock, kind, count, limit_seconds,
                [&](std::size_t i) {
                    collision_.clear();
                    coal::collide(a, identity, b, poses_[i], request, collision_);
                },
                [&](std::size_t i) {
                    const double found = static_cast<double>(collision_.numContacts());
                    pass.answers[i] = {found, found};
                });
        }
        pass.answers.resize(pass.nanoseconds.size());
        return pass;
    }

    BuildFacts build_facts() const override { return {build_seconds_, 0}; }

private:
    static bool measures_distance(Query query) { return query == Query::distance || query == Query::approx; }

    const Trees &trees(Query query)
    {
        const bool distance = measures_distance(query);
        Trees &wanted = distance ? distance_ : collide_;
        if (!wanted.a) {
            const std::uint64_t start = thread_nanoseconds();
            const std::string &volume = distance ? distance_volume_ : collide_volume_;
            wanted = {build_tree(volume, workload_->a), build_tree(volume, workload_->b)};
            build_seconds_ = static_cast<double>(thread_nanoseconds() - start) * 1e-9;
        }
        return wanted;
    }

    std::string collide_volume_, distance_volume_;
    const Workload *workload_ = nullptr;
    Trees collide_, distance_;
    double build_seconds_ = 0;
    std::vector<coal::Transform3s> poses_;
    coal::CollisionResult collision_;  // kept, so that its contacts keep their capacity
};

}  // namespace

std::unique_ptr<Library> make_coal(const std::string &collide_volume, const std::string &distance_volume)
{
    return std::make_unique<Coal>(collide_volume, distance_volume);
}

#endif
