# The target feeler_cargo: runs cargo and places its libraries, under their versioned names, in FEELER_STAGE_DIR.
#
# Cargo runs on every build, because it alone knows what the library is made of; when nothing changed it returns at
# once and the staged files keep their time stamps, so that nothing is linked again. The library is always optimised:
# CMAKE_BUILD_TYPE is the client's choice for the client's code.

find_program(FEELER_CARGO cargo HINTS "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin"
             DOC "The Rust build tool that compiles feeler")
if(NOT FEELER_CARGO)
    message(FATAL_ERROR "feeler is compiled by cargo, which was not found: install Rust (https://rustup.rs), "
                        "or set FEELER_CARGO to its path")
endif()

if(DEFINED ENV{CARGO_TARGET_DIR})
    set(feeler_default_target_dir "$ENV{CARGO_TARGET_DIR}")
else()
    set(feeler_default_target_dir "${PROJECT_BINARY_DIR}/cargo")
endif()
set(FEELER_CARGO_TARGET_DIR "${feeler_default_target_dir}" CACHE PATH "Where cargo keeps what it compiles")
set(FEELER_CARGO_TARGET "" CACHE STRING "Target triple to compile for, as rustc names it; empty for this machine")
set(FEELER_CARGO_FLAGS "--locked" CACHE STRING "Further arguments for cargo, separated by semicolons")

set(feeler_artifact_dir "${FEELER_CARGO_TARGET_DIR}/release")
set(feeler_target_arguments "")
if(FEELER_CARGO_TARGET)
    set(feeler_artifact_dir "${FEELER_CARGO_TARGET_DIR}/${FEELER_CARGO_TARGET}/release")
    set(feeler_target_arguments --target "${FEELER_CARGO_TARGET}")
endif()

# Cargo has no words for the name that programs look for at run time; an empty list where there is no such name.
set(feeler_soname_arguments "")
if(FEELER_SONAME)
    set(feeler_soname_arguments -- -C "link-arg=-Wl,${FEELER_SONAME_FLAG},${FEELER_SONAME}")
endif()

# Debug lines are six sevenths of what cargo makes, so they are taken out or into a file of their own that debuggers find
# by name. Where no tool for that is known the libraries stay as they are.
option(FEELER_DEBUG_FILE "Keep the debug lines of the shared library in a file beside it" OFF)
set(FEELER_STAGE_DIR "${PROJECT_BINARY_DIR}/lib")
set(FEELER_SHARED_DEBUG_FILE "")
set(feeler_shared_artifact "${feeler_artifact_dir}/${FEELER_CARGO_SHARED}")
set(feeler_static_artifact "${feeler_artifact_dir}/${FEELER_CARGO_STATIC}")
set(feeler_slim_dir "${PROJECT_BINARY_DIR}/slim")
set(feeler_slim_commands "")
if(APPLE AND CMAKE_STRIP)
    list(APPEND feeler_slim_commands
         COMMAND "${CMAKE_STRIP}" -S -x -o "${feeler_slim_dir}/${FEELER_CARGO_SHARED}" "${feeler_shared_artifact}"
         COMMAND "${CMAKE_STRIP}" -S -o "${feeler_slim_dir}/${FEELER_CARGO_STATIC}" "${feeler_static_artifact}")
elseif(UNIX AND CMAKE_OBJCOPY)
    set(feeler_debug_link "")
    if(FEELER_DEBUG_FILE)
        set(FEELER_SHARED_DEBUG_FILE "${FEELER_SHARED_FILE}.debug")
        list(APPEND feeler_slim_commands
             COMMAND "${CMAKE_OBJCOPY}" --only-keep-debug "${feeler_shared_artifact}"
                     "${FEELER_STAGE_DIR}/${FEELER_SHARED_DEBUG_FILE}")
        set(feeler_debug_link "--add-gnu-debuglink=${FEELER_STAGE_DIR}/${FEELER_SHARED_DEBUG_FILE}")
    endif()
    list(APPEND feeler_slim_commands
         COMMAND "${CMAKE_OBJCOPY}" --strip-unneeded ${feeler_debug_link}
                 "${feeler_shared_artifact}" "${feeler_slim_dir}/${FEELER_CARGO_SHARED}"
         COMMAND "${CMAKE_OBJCOPY}" --strip-debug --enable-deterministic-archives
                 "${feeler_static_artifact}" "${feeler_slim_dir}/${FEELER_CARGO_STATIC}")
endif()
if(FEELER_DEBUG_FILE AND NOT FEELER_SHARED_DEBUG_FILE)
    message(WARNING "FEELER_DEBUG_FILE needs objcopy and a platform with ELF files: it is left out")
endif()
if(feeler_slim_commands)
    set(feeler_shared_artifact "${feeler_slim_dir}/${FEELER_CARGO_SHARED}")
    set(feeler_static_artifact "${feeler_slim_dir}/${FEELER_CARGO_STATIC}")
endif()

set(feeler_staged "${FEELER_STAGE_DIR}/${FEELER_SHARED_FILE}" "${FEELER_STAGE_DIR}/${FEELER_STATIC_FILE}")
set(feeler_stage_commands
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${FEELER_STAGE_DIR}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${feeler_slim_dir}"
    ${feeler_slim_commands}
    COMMAND "${CMAKE_COMMAND}" -E copy_if_different
            "${feeler_shared_artifact}" "${FEELER_STAGE_DIR}/${FEELER_SHARED_FILE}"
    COMMAND "${CMAKE_COMMAND}" -E copy_if_different
            "${feeler_static_artifact}" "${FEELER_STAGE_DIR}/${FEELER_STATIC_FILE}")
if(FEELER_IMPORT_FILE)
    list(APPEND feeler_staged "${FEELER_STAGE_DIR}/${FEELER_IMPORT_FILE}")
    list(APPEND feeler_stage_commands
         COMMAND "${CMAKE_COMMAND}" -E copy_if_different
                 "${feeler_artifact_dir}/${FEELER_CARGO_IMPORT}" "${FEELER_STAGE_DIR}/${FEELER_IMPORT_FILE}")
endif()
set(feeler_link_target "${FEELER_SHARED_FILE}")
foreach(feeler_link IN LISTS FEELER_SHARED_LINKS)
    list(APPEND feeler_staged "${FEELER_STAGE_DIR}/${feeler_link}")
    list(APPEND feeler_stage_commands
         COMMAND "${CMAKE_COMMAND}" -E create_symlink "${feeler_link_target}" "${FEELER_STAGE_DIR}/${feeler_link}")
    set(feeler_link_target "${feeler_link}")
endforeach()

# The rlib is left out on purpose: with it in the list cargo drops link-time optimisation without a word.
add_custom_target(feeler_cargo ALL
    COMMAND "${FEELER_CARGO}" rustc --lib --release --crate-type cdylib,staticlib
            --manifest-path "${PROJECT_SOURCE_DIR}/Cargo.toml" --target-dir "${FEELER_CARGO_TARGET_DIR}"
            ${feeler_target_arguments} ${FEELER_CARGO_FLAGS} ${feeler_soname_arguments}
    ${feeler_stage_commands}
    BYPRODUCTS ${feeler_staged}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    COMMENT "Compiling feeler with cargo"
    USES_TERMINAL VERBATIM)
