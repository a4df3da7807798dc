#include "reference.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace {

// The smaller of two cells of which either may be empty; 0 when both are.
double better(const std::string &first, const std::string &second)
{
    if (first.empty() && second.empty())
        return 0;
    if (first.empty() || second.empty())
        return std::stod(first.empty() ? second : first);
    return std::min(std::stod(first), std::stod(second));
}

}  // namespace

ReferenceTable::ReferenceTable(const std::filesystem::path &csv)
{
    std::ifstream file(csv);
    if (!file)
        throw std::runtime_error("cannot read " + csv.string());
    std::string line;
    bool header = true;
    while (std::getline(file, line)) {
        if (line.empty() || line[0] == '#')
            continue;
        if (header) {
            header = false;
            continue;
        }
        std::vector<std::string> cells;
        std::istringstream stream(line);
        for (std::string cell; std::getline(stream, cell, ',');)
            cells.push_back(cell);
        if (cells.size() != 12)
            throw std::runtime_error("twelve columns expected in " + csv.string() + ": " + line);
        const std::optional<Query> query = query_named(cells[0]);
        if (!query)
            throw std::runtime_error("unknown query in " + csv.string() + ": " + line);
        Reference reference;
        reference.pqp_cold = better(cells[5], cells[6]);
        reference.pqp_shipped = better(cells[7], cells[8]);
        if (reference.pqp_shipped == 0)
            reference.pqp_shipped = reference.pqp_cold;
        reference.clock = std::stod(cells[11]);
        rows_[{*query, cells[1]}] = reference;
    }
}

const Reference *ReferenceTable::find(Query query, const std::string &workload) const
{
    const auto found = rows_.find({query, workload});
    return found == rows_.end() ? nullptr : &found->second;
}
