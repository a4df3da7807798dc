# A Find module in the manner of old programs: one header, one library.
find_path(PQP_INCLUDE_DIRS NAMES PQP.h)
find_library(PQP_LIBRARIES NAMES PQP)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PQP DEFAULT_MSG PQP_LIBRARIES PQP_INCLUDE_DIRS)
