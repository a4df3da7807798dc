// Runs the clients of the old interfaces, one after the other.
#include "shared.hpp"

int checks_passed = 0, checks_failed = 0;

void contacts_client();
void along_a_path_client();
void planner_client();
void c_wrapper_client();
void misuse_client();
void values_client();
void rapid_client();
void cache_client();

int main() {
    contacts_client();
    along_a_path_client();
    planner_client();
    c_wrapper_client();
    misuse_client();
    values_client();
    rapid_client();
    cache_client();
    std::printf("clients of the old interfaces: %d passed, %d failed\n", checks_passed, checks_failed);
    return checks_failed != 0;
}
