// The C++ side of the client: one distance through the wrapper.
#include <feeler.hpp>

#include <array>
#include <exception>
#include <vector>

extern "C" double distance_of_two_triangles(double height) {
    try {
        const std::vector<std::array<float, 3>> vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
        const std::vector<std::uint32_t> indices = {0, 1, 2};
        const feeler::model triangle(vertices, indices);
        feeler::pair pair(triangle, triangle);
        feeler::check(pair.set_transform_b(feeler::translation(0, 0, height)));
        return pair.distance().value().upper;
    } catch (const std::exception &) {
        return -1;
    }
}
