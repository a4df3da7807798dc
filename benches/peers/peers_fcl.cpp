// FCL from Debian (libfcl-dev), with the volumes that measured best; see README.md for the comparison.
#include "library.hpp"

#include <fcl/fcl.h>

#include <limits>
#include <stdexcept>

namespace {

using Geometry = fcl::CollisionGeometryd;

template <class Volume>
std::shared_ptr<Geometry> build_tree(const Mesh &mesh)
{
    std::vector<fcl::Vector3d> vertices;
    vertices.reserve(mesh.vertices.size());
    for (const Vector3 &v : mesh.vertices)
        vertices.emplace_back(v.x, v.y, v.z);
    std::vector<fcl::Triangle> triangles;
    triangles.reserve(mesh.triangles.size());
    for (const auto &t : mesh.triangles)
        triangles.emplace_back(t[0], t[1], t[2]);
    auto model = std::make_shared<fcl::BVHModel<Volume>>();
    model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
    model->addSubModel(vertices, triangles);
    model->endModel();
    model->computeLocalAABB();
    return model;
}

std::shared_ptr<Geometry> build_tree(const std::string &volume, const Mesh &mesh)
{
    if (volume == "obb")
        return build_tree<fcl::OBBd>(mesh);
    if (volume == "obbrss")
        return build_tree<fcl::OBBRSSd>(mesh);
    if (volume == "rss")
        return build_tree<fcl::RSSd>(mesh);
    if (volume == "kios")
        return build_tree<fcl::kIOSd>(mesh);
    throw std::runtime_error("FCL: unknown volume " + volume);
}

struct Trees {
    std::shared_ptr<Geometry> a, b;
};

class Fcl final : public Library {
public:
    Fcl(std::string collide_volume, std::string distance_volume)
        : collide_volume_(std::move(collide_volume)), distance_volume_(std::move(distance_volume))
    {
    }

    std::string name() const override { return "FCL"; }

    std::string description() const override
    {
        return "FCL " FCL_VERSION ", " + collide_volume_ + " for collide and contacts, " + distance_volume_
            + " for distance; approx is exact distance (relative error is ignored between meshes), tolerance times collide";
    }

    void load(const Workload &workload) override
    {
        workload_ = &workload;
        collide_ = {};
        distance_ = {};
        build_seconds_ = 0;
        poses_.clear();
        for (const Pose &pose : workload.poses) {
            fcl::Transform3d transform = fcl::Transform3d::Identity();
            transform.linear() = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(pose.rotation.data());
            transform.translation() = Eigen::Map<const Eigen::Vector3d>(pose.translation.data());
            poses_.push_back(transform);
        }
    }

    void prepare(Query query) override { trees(query); }

    Pass pass(const Clock &clock, ClockKind kind, Query query, std::size_t count, double limit_seconds) override
    {
        const Trees &pair = trees(query);
        const Geometry *a = pair.a.get(), *b = pair.b.get();
        const fcl::Transform3d identity = fcl::Transform3d::Identity();
        Pass pass;
        pass.answers.resize(count);
        if (measures_distance(query)) {
            fcl::DistanceRequestd request(false);  // no nearest points
            if (query == Query::approx)
                request.rel_err = approx_relative_error;
            fcl::DistanceResultd result;
            pass.nanoseconds = timed_pass(
                clock, kind, count, limit_seconds,
                [&](std::size_t i) {
                    result.clear();
                    fcl::distance(a, identity, b, poses_[i], request, result);
                },
                [&](std::size_t i) { pass.answers[i] = {result.min_distance, result.min_distance}; });
        } else {
            const std::size_t most = query == Query::contacts ? std::numeric_limits<int>::max() : 1;
            const fcl::CollisionRequestd request(most, false);
            pass.nanoseconds = timed_pass(
                clock, kind, count, limit_seconds,
                [&](std::size_t i) {
                    collision_.clear();
                    fcl::collide(a, identity, b, poses_[i], request, collision_);
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

    bool answers(Query query) const override { return query != Query::tolerance; }

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
    std::vector<fcl::Transform3d> poses_;
    fcl::CollisionResultd collision_;  // kept, so that its contacts keep their capacity
};

}  // namespace

std::unique_ptr<Library> make_fcl(const std::string &collide_volume, const std::string &distance_volume)
{
    return std::make_unique<Fcl>(collide_volume, distance_volume);
}
