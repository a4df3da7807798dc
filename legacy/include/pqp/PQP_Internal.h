// Another way to include PQP_Internal.h.
#include "../PQP_Internal.h"
