#include "verify.hpp"

#include <cmath>
#include <fstream>
#include <limits>

namespace {

// Two computations of a distance differ relatively by their kernels' rounding, and absolutely by that of the
// placed coordinates, which grow with the pose's translation.
double distance_slack(const Workload &workload, std::size_t pose, double distance)
{
    const auto &t = workload.poses[pose].translation;
    const double reach = std::sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]) + workload.a.diagonal() + workload.b.diagonal();
    return 1e-9 * std::abs(distance) + 8 * std::numeric_limits<double>::epsilon() * reach;
}

// `exact_distance` serves the queries whose answer is not unique (approx) or turns at a threshold (tolerance).
bool agrees(const Cell &cell, std::size_t pose, const Answer &got, double expected, std::optional<double> exact_distance)
{
    const Workload &workload = *cell.workload;
    switch (cell.query) {
    case Query::collide:
    case Query::contacts:
        return got.value == expected;
    case Query::distance:
        return std::abs(got.value - expected) <= distance_slack(workload, pose, expected);
    case Query::approx: {
        const double slack = distance_slack(workload, pose, expected);
        return got.lower <= expected + slack && got.value >= expected - slack
            && got.value <= expected * (1 + approx_relative_error) + slack;
    }
    case Query::tolerance:
        if (exact_distance && std::abs(*exact_distance - workload.tolerance) <= distance_slack(workload, pose, workload.tolerance))
            return true;
        return got.value == expected;
    }
    return false;
}

bool is_feeler(const LibraryResult &result) { return result.name.rfind("feeler", 0) == 0; }

}  // namespace

StoredAnswers::StoredAnswers(const std::filesystem::path &directory, const Workload &workload)
{
    if (directory.empty() || workload.resampled)
        return;
    for (Query query : all_queries) {
        std::ifstream file(directory / (workload.name + "." + name_of(query) + ".txt"));
        double value;
        while (file >> value)
            answers_[query].push_back(value);
    }
}

std::optional<double> StoredAnswers::find(Query query, std::size_t pose) const
{
    // An approximate answer is judged by the exact one.
    const auto found = answers_.find(query == Query::approx ? Query::distance : query);
    if (found == answers_.end() || pose >= found->second.size())
        return std::nullopt;
    return found->second[pose];
}

bool Verdict::feeler_is_wrong() const
{
    for (const Disagreement &disagreement : disagreements)
        if (disagreement.counts_against_feeler)
            return true;
    return false;
}

Verdict verify(const Cell &cell, const StoredAnswers &stored)
{
    Verdict verdict;
    const LibraryResult *cold = cell.find("feeler cold");
    for (std::size_t pose = 0; pose < cell.poses; ++pose) {
        const std::optional<double> expected = stored.find(cell.query, pose);
        const std::optional<double> exact_distance = stored.find(Query::distance, pose);
        verdict.compared += expected.has_value();
        for (const LibraryResult &result : cell.results) {
            if (!result.library->answers(cell.query))
                continue;
            const Answer &got = result.answers[pose];
            if (expected && !agrees(cell, pose, got, *expected, exact_distance))
                verdict.disagreements.push_back({result.name, "stored answers", pose, got, *expected, is_feeler(result)});
            if (!cold || &result == cold)
                continue;
            const double own = cold->answers[pose].value;
            if (is_feeler(result)) {
                // Coherence must not change the value; approximate values may differ within their error.
                if (cell.query != Query::approx && got.value != own)
                    verdict.disagreements.push_back({result.name, cold->name, pose, got, own, true});
            } else if (!expected && cell.query != Query::approx && !agrees(cell, pose, got, own, exact_distance)) {
                verdict.disagreements.push_back({result.name, cold->name, pose, got, own, false});
            }
        }
    }
    return verdict;
}
