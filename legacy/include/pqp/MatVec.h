// Another way to include MatVec.h.
#include "../MatVec.h"
