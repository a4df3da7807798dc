// Another way to include PQP_Compile.h.
#include "../../PQP_Compile.h"
