/* The C side of the client: the version that runs is the one it was compiled for, and the answer is right. */
#include <feeler.h>

#include <stdio.h>

double distance_of_two_triangles(double height);

int main(void) {
    const double distance = distance_of_two_triangles(2.5);
    printf("feeler %s: distance %g\n", feeler_version_string(), distance);
    return feeler_version() == FEELER_VERSION && distance == 2.5 ? 0 : 1;
}
