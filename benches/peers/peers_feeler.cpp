// feeler through its C ABI: what a user of the shared library gets, with default volume and parameters.
#include "library.hpp"

#ifndef PEERS_WITH_FEELER

std::unique_ptr<Library> make_feeler(FeelerMode) { return nullptr; }

#else

#include <feeler.h>

#include <stdexcept>

namespace {

void check(std::uint32_t status, const char *call)
{
    if (status != FEELER_STATUS_OK)
        throw std::runtime_error(std::string(call) + ": " + feeler_status_name(status) + ": " + feeler_last_error_message());
}

struct ModelDeleter {
    void operator()(feeler_model *model) const { feeler_model_destroy(model); }
};
struct PairDeleter {
    void operator()(feeler_pair *pair) const { feeler_pair_destroy(pair); }
};
using Model = std::unique_ptr<feeler_model, ModelDeleter>;
using Pair = std::unique_ptr<feeler_pair, PairDeleter>;

Model build_model(const Mesh &mesh)
{
    feeler_mesh description = feeler_mesh_default();
    description.scalar = FEELER_SCALAR_F64;
    description.vertices = mesh.vertices.data();
    description.vertex_count = mesh.vertices.size();
    description.vertex_stride = sizeof(Vector3);
    description.indices = mesh.triangles.data()->data();
    description.triangle_count = mesh.triangles.size();
    feeler_model *raw = nullptr;
    check(feeler_model_create(&description, &raw), "feeler_model_create");
    Model model(raw);
    feeler_build_params params = feeler_build_params_default();
    params.threads = 1;  // the tree is the same for every thread count; the build time is that of one
    check(feeler_model_build(model.get(), &params), "feeler_model_build");
    return model;
}

double memory_of(const feeler_model *model)
{
    feeler_model_info info = feeler_model_info_default();
    check(feeler_model_get_info(model, &info), "feeler_model_get_info");
    return static_cast<double>(info.memory_bytes);
}

class Feeler final : public Library {
public:
    explicit Feeler(FeelerMode mode) : mode_(mode) {}

    std::string name() const override { return mode_ == FeelerMode::cold ? "feeler cold" : "feeler shipped"; }

    std::string description() const override
    {
        return std::string("feeler ") + feeler_version_string() + " (" + feeler_instruction_set() + "), "
            + (mode_ == FeelerMode::cold ? "FEELER_QUERY_NO_COHERENCE" : "default flags, the pair is reset before each pass")
            + "; timed: feeler_pair_set_transforms of both models, then the query";
    }

    void load(const Workload &workload) override
    {
        workload_ = &workload;
        pair_.reset();
        a_.reset();
        b_.reset();
        build_ = {};
        poses_.clear();
        for (const Pose &pose : workload.poses) {
            feeler_transform transform = feeler_transform_identity();
            for (int i = 0; i < 9; ++i)
                transform.rotation[i] = pose.rotation[i];
            for (int i = 0; i < 3; ++i)
                transform.translation[i] = pose.translation[i];
            poses_.push_back(transform);
        }
    }

    void prepare(Query query) override
    {
        if (!pair_) {
            const std::uint64_t start = thread_nanoseconds();
            a_ = build_model(workload_->a);
            b_ = build_model(workload_->b);
            build_.seconds = static_cast<double>(thread_nanoseconds() - start) * 1e-9;
            build_.bytes = memory_of(a_.get()) + memory_of(b_.get());
            feeler_pair *raw = nullptr;
            check(feeler_pair_create(a_.get(), b_.get(), nullptr, &raw), "feeler_pair_create");
            pair_.reset(raw);
        }
        if (query == Query::contacts && contacts_.empty())
            contacts_.resize(std::size_t{1} << 16);
    }

    Pass pass(const Clock &clock, ClockKind kind, Query query, std::size_t count, double limit_seconds) override
    {
        for (;;) {
            Pass pass;
            pass.answers.resize(count);
            std::size_t most = 0;
            feeler_pair_reset(pair_.get());
            ask(query, [&](auto &&run, auto &&answer) {
                pass.nanoseconds = timed_pass(
                    clock, kind, count, limit_seconds,
                    [&](std::size_t i) {
                        status_ = feeler_pair_set_transforms(pair_.get(), &identity_, &poses_[i]);
                        if (status_ == FEELER_STATUS_OK)
                            status_ = run();
                    },
                    [&](std::size_t i) {
                        check(status_, name_of(query));
                        pass.answers[i] = answer();
                        most = std::max(most, static_cast<std::size_t>(pass.answers[i].value));
                    });
            });
            pass.answers.resize(pass.nanoseconds.size());
            // Writing all contacts is part of the query, so a pass that met a full buffer is not counted.
            if (query != Query::contacts || most <= contacts_.size())
                return pass;
            contacts_.resize(most + most / 4);
        }
    }

    std::optional<Counters> counters(Query query, std::size_t count) override
    {
        Counters sum;
        feeler_counters counters = feeler_counters_default();
        feeler_pair_reset(pair_.get());
        ask(query, [&](auto &&run, auto &&) {
            for (std::size_t i = 0; i < count; ++i) {
                check(feeler_pair_set_transforms(pair_.get(), &identity_, &poses_[i]), "feeler_pair_set_transforms");
                check(run(), name_of(query));
                check(feeler_pair_get_counters(pair_.get(), &counters), "feeler_pair_get_counters");
                sum.expansions += static_cast<double>(counters.expansions);
                sum.volume_tests += static_cast<double>(counters.volume_tests);
                sum.cheap_tests += static_cast<double>(counters.cheap_tests);
                sum.triangle_tests += static_cast<double>(counters.triangle_tests);
                sum.robust_tests += static_cast<double>(counters.robust_tests);
                sum.front_tests += static_cast<double>(counters.front_tests);
                sum.work += static_cast<double>(counters.work);
                sum.without_looking += counters.expansions + counters.triangle_tests + counters.front_tests == 0;
            }
        });
        for (double *mean : {&sum.expansions, &sum.volume_tests, &sum.cheap_tests, &sum.triangle_tests, &sum.robust_tests, &sum.front_tests, &sum.work,
                             &sum.without_looking})
            *mean /= static_cast<double>(count);
        return sum;
    }

    BuildFacts build_facts() const override { return build_; }

private:
    // Hands `body` two callables: the query, and the reading of its answer.
    template <class Body>
    void ask(Query query, Body &&body)
    {
        const std::uint32_t flags = mode_ == FeelerMode::cold ? FEELER_QUERY_NO_COHERENCE : 0;
        feeler_pair *pair = pair_.get();
        switch (query) {
        case Query::collide: {
            feeler_collide_params params = feeler_collide_params_default();
            params.flags = flags;
            feeler_collide_result result = feeler_collide_result_default();
            body([&] { return feeler_pair_collide(pair, &params, &result); },
                 [&] { return Answer{double(result.colliding), double(result.colliding)}; });
            break;
        }
        case Query::contacts: {
            feeler_contacts_params params = feeler_contacts_params_default();
            params.flags = flags;
            feeler_contacts_result result = feeler_contacts_result_default();
            body([&] { return feeler_pair_contacts(pair, &params, contacts_.data(), contacts_.size(), &result); },
                 [&] { return Answer{double(result.found), double(result.found)}; });
            break;
        }
        case Query::distance:
        case Query::approx: {
            feeler_distance_params params = feeler_distance_params_default();
            params.flags = flags;
            if (query == Query::approx)
                params.relative_error = approx_relative_error;
            feeler_distance_result result = feeler_distance_result_default();
            body([&] { return feeler_pair_distance(pair, &params, &result); },
                 [&] { return Answer{result.upper, result.lower}; });
            break;
        }
        case Query::tolerance: {
            feeler_tolerance_params params = feeler_tolerance_params_default();
            params.flags = flags;
            params.tolerance = workload_->tolerance;
            feeler_tolerance_result result = feeler_tolerance_result_default();
            body([&] { return feeler_pair_tolerance(pair, &params, &result); },
                 [&] { return Answer{double(result.closer), double(result.closer)}; });
            break;
        }
        }
    }

    FeelerMode mode_;
    const Workload *workload_ = nullptr;
    Model a_, b_;
    Pair pair_;
    BuildFacts build_;
    std::uint32_t status_ = FEELER_STATUS_OK;
    feeler_transform identity_ = feeler_transform_identity();
    std::vector<feeler_transform> poses_;
    std::vector<feeler_contact> contacts_;
};

}  // namespace

std::unique_ptr<Library> make_feeler(FeelerMode mode) { return std::make_unique<Feeler>(mode); }

#endif
