# A Find module in the manner of old programs: one header, one library.
find_path(RAPID_INCLUDE_DIRS NAMES RAPID.H)
find_library(RAPID_LIBRARIES NAMES RAPID)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(RAPID DEFAULT_MSG RAPID_LIBRARIES RAPID_INCLUDE_DIRS)
