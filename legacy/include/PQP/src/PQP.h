// Another way to include PQP.h.
#include "../../PQP.h"
