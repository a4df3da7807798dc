# The package files for find_package and pkg-config, and the install rules.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

write_basic_package_version_file("${PROJECT_BINARY_DIR}/feelerConfigVersion.cmake" COMPATIBILITY SameMajorVersion)

# For the build tree.
set(FEELER_PACKAGE_INCLUDE_DIR "${PROJECT_SOURCE_DIR}/include")
set(FEELER_PACKAGE_LIBRARY_DIR "${FEELER_STAGE_DIR}")
set(FEELER_PACKAGE_RUNTIME_DIR "${FEELER_STAGE_DIR}")
configure_package_config_file(cmake/feelerConfig.cmake.in "${PROJECT_BINARY_DIR}/feelerConfig.cmake"
    INSTALL_DESTINATION "${PROJECT_BINARY_DIR}" INSTALL_PREFIX "${PROJECT_BINARY_DIR}"
    PATH_VARS FEELER_PACKAGE_INCLUDE_DIR FEELER_PACKAGE_LIBRARY_DIR FEELER_PACKAGE_RUNTIME_DIR
    NO_CHECK_REQUIRED_COMPONENTS_MACRO)

if(NOT FEELER_INSTALL)
    return()
endif()

# For the install tree.
set(feeler_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/feeler")
set(FEELER_PACKAGE_INCLUDE_DIR "${CMAKE_INSTALL_INCLUDEDIR}")
set(FEELER_PACKAGE_LIBRARY_DIR "${CMAKE_INSTALL_LIBDIR}")
if(WIN32)
    set(FEELER_PACKAGE_RUNTIME_DIR "${CMAKE_INSTALL_BINDIR}")
else()
    set(FEELER_PACKAGE_RUNTIME_DIR "${CMAKE_INSTALL_LIBDIR}")
endif()
configure_package_config_file(cmake/feelerConfig.cmake.in "${PROJECT_BINARY_DIR}/install/feelerConfig.cmake"
    INSTALL_DESTINATION "${feeler_package_dir}"
    PATH_VARS FEELER_PACKAGE_INCLUDE_DIR FEELER_PACKAGE_LIBRARY_DIR FEELER_PACKAGE_RUNTIME_DIR
    NO_CHECK_REQUIRED_COMPONENTS_MACRO)

# The pkg-config file finds its prefix from its own place as well.
set(feeler_pkgconfig_dir "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH FEELER_PKGCONFIG_PREFIX "${feeler_pkgconfig_dir}" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" FEELER_PKGCONFIG_PREFIX "${FEELER_PKGCONFIG_PREFIX}")
file(RELATIVE_PATH FEELER_PKGCONFIG_LIBDIR "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_LIBDIR}")
file(RELATIVE_PATH FEELER_PKGCONFIG_INCLUDEDIR "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
set(FEELER_PKGCONFIG_SYSTEM_LIBRARIES "${FEELER_SYSTEM_LIBRARIES}")
list(TRANSFORM FEELER_PKGCONFIG_SYSTEM_LIBRARIES PREPEND "-l")
list(JOIN FEELER_PKGCONFIG_SYSTEM_LIBRARIES " " FEELER_PKGCONFIG_SYSTEM_LIBRARIES)
configure_file(cmake/feeler.pc.in "${PROJECT_BINARY_DIR}/install/feeler.pc" @ONLY)

set(feeler_installed_libraries "${FEELER_STAGE_DIR}/${FEELER_STATIC_FILE}")
if(FEELER_IMPORT_FILE)
    list(APPEND feeler_installed_libraries "${FEELER_STAGE_DIR}/${FEELER_IMPORT_FILE}")
endif()
foreach(feeler_link IN LISTS FEELER_SHARED_LINKS)
    list(APPEND feeler_installed_libraries "${FEELER_STAGE_DIR}/${feeler_link}")
endforeach()

install(FILES include/feeler.h include/feeler.hpp DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(PROGRAMS "${FEELER_STAGE_DIR}/${FEELER_SHARED_FILE}" DESTINATION "${FEELER_PACKAGE_RUNTIME_DIR}")
install(FILES ${feeler_installed_libraries} DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(FEELER_SHARED_DEBUG_FILE)
    install(FILES "${FEELER_STAGE_DIR}/${FEELER_SHARED_DEBUG_FILE}" DESTINATION "${FEELER_PACKAGE_RUNTIME_DIR}")
endif()
install(FILES "${PROJECT_BINARY_DIR}/install/feelerConfig.cmake" "${PROJECT_BINARY_DIR}/feelerConfigVersion.cmake"
              "${PROJECT_BINARY_DIR}/feelerTargets.cmake" DESTINATION "${feeler_package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/install/feeler.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
install(FILES LICENSE-MIT LICENSE-APACHE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
