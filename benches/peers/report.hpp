// What is printed and written.
#pragma once

#include "reference.hpp"
#include "verify.hpp"

#include <iosfwd>

struct MeasuredCell {
    Cell cell;
    Verdict verdict;
};

struct Machine {
    std::string command_line;
    int processor = -1;  // -1: not pinned
};

void print_header(std::ostream &out, const Machine &machine, const Clock &clock, const std::vector<std::unique_ptr<Library>> &libraries);
void print_models(std::ostream &out, const std::vector<MeasuredCell> &cells);
void print_times(std::ostream &out, Query query, const std::vector<MeasuredCell> &cells, const ReferenceTable &references);
// What small steps cost: one table for all queries, each with its targets.
void print_steps(std::ostream &out, const std::vector<MeasuredCell> &cells, const ReferenceTable &references);
void print_counters(std::ostream &out, Query query, const std::vector<MeasuredCell> &cells);
void print_latency(std::ostream &out, Query query, const std::vector<MeasuredCell> &cells);
void print_disagreements(std::ostream &out, const std::vector<MeasuredCell> &cells);
void write_csv(const std::filesystem::path &path, const std::vector<MeasuredCell> &cells, const ReferenceTable &references);
