# The package files that old builds ask for by the names of PQP and RAPID. They live in a prefix of their own,
# <libdir>/feeler/legacy, with include, lib, lib/cmake and lib/pkgconfig: who names that prefix gets them, nobody else.

set(feeler_legacy_packages PQP RAPID)
set(feeler_PQP_component pqp)
set(feeler_RAPID_component rapid)
# The versions whose interfaces the headers have.
set(feeler_PQP_version 1.3)
set(feeler_RAPID_version 2.01)

foreach(package IN LISTS feeler_legacy_packages)
    set(FEELER_LEGACY_NAME ${package})
    set(FEELER_LEGACY_COMPONENT ${feeler_${package}_component})
    set(FEELER_LEGACY_VERSION ${feeler_${package}_version})

    # For the build tree: -DCMAKE_PREFIX_PATH=<build>/legacy.
    set(feeler_legacy_build_dir "${PROJECT_BINARY_DIR}/legacy/lib/cmake/${package}")
    set(FEELER_LEGACY_PACKAGE_DIR "${PROJECT_BINARY_DIR}")
    configure_file(legacy/cmake/LegacyConfig.cmake.in "${feeler_legacy_build_dir}/${package}Config.cmake" @ONLY)
    write_basic_package_version_file("${feeler_legacy_build_dir}/${package}ConfigVersion.cmake"
        VERSION ${FEELER_LEGACY_VERSION} COMPATIBILITY AnyNewerVersion)

    if(FEELER_INSTALL)
        set(feeler_legacy_stage_dir "${PROJECT_BINARY_DIR}/install/legacy")
        set(FEELER_LEGACY_PACKAGE_DIR "\${CMAKE_CURRENT_LIST_DIR}/../../../../../cmake/feeler")
        configure_file(legacy/cmake/LegacyConfig.cmake.in "${feeler_legacy_stage_dir}/${package}Config.cmake" @ONLY)
        install(FILES "${feeler_legacy_stage_dir}/${package}Config.cmake"
                      "${feeler_legacy_build_dir}/${package}ConfigVersion.cmake"
                DESTINATION "${FEELER_LEGACY_DIR}/lib/cmake/${package}")
        # Under the old name in the prefix of its own, under a new one beside feeler.pc.
        configure_file(legacy/cmake/legacy.pc.in "${feeler_legacy_stage_dir}/${FEELER_LEGACY_COMPONENT}.pc" @ONLY)
        install(FILES "${feeler_legacy_stage_dir}/${FEELER_LEGACY_COMPONENT}.pc"
                DESTINATION "${FEELER_LEGACY_DIR}/lib/pkgconfig")
        configure_file(legacy/cmake/feeler-legacy.pc.in
                       "${feeler_legacy_stage_dir}/feeler-${FEELER_LEGACY_COMPONENT}.pc" @ONLY)
        install(FILES "${feeler_legacy_stage_dir}/feeler-${FEELER_LEGACY_COMPONENT}.pc"
                DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
    endif()
endforeach()

if(NOT FEELER_INSTALL)
    return()
endif()

install(DIRECTORY legacy/include/ DESTINATION "${FEELER_LEGACY_DIR}/include")
# A Find module of an old project knows one folder of headers only.
install(FILES include/feeler.h DESTINATION "${FEELER_LEGACY_DIR}/include")

# libPQP and libRAPID, for -lPQP and for Find modules: links to feeler's libraries. The name that programs look for at
# run time is beside them, because CMake writes the folder of a library that it found into the program.
if(NOT WIN32)
    set(feeler_legacy_libraries "")
    foreach(name IN LISTS feeler_legacy_packages)
        get_filename_component(suffix "${FEELER_STATIC_FILE}" LAST_EXT)
        list(APPEND feeler_legacy_libraries "lib${name}${suffix}=${FEELER_STATIC_FILE}"
                                            "lib${name}${CMAKE_SHARED_LIBRARY_SUFFIX}=${FEELER_SHARED_FILE}")
    endforeach()
    foreach(link IN LISTS FEELER_SHARED_LINKS)
        list(APPEND feeler_legacy_libraries "${link}=${FEELER_SHARED_FILE}")
    endforeach()
    foreach(library IN LISTS feeler_legacy_libraries)
        string(REPLACE "=" ";" library "${library}")
        list(GET library 0 link)
        list(GET library 1 file)
        execute_process(COMMAND "${CMAKE_COMMAND}" -E create_symlink "../../../${file}" "${feeler_legacy_stage_dir}/${link}")
        install(FILES "${feeler_legacy_stage_dir}/${link}" DESTINATION "${FEELER_LEGACY_DIR}/lib")
    endforeach()
endif()
