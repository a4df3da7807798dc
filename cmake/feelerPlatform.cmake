# What the files of the library are called on the platform that is built for, and which system libraries a program
# needs that links the static one. Linux is tested; macOS and Windows are written from their documentation.

# Within a major version the binary interface only grows (scripts/tests/abi.sh proves it), so the name that programs look
# for at run time carries that number alone.
set(FEELER_SOVERSION "${PROJECT_VERSION_MAJOR}")

# FEELER_CARGO_*: as cargo names the files. The others: as they are installed, first the real file, then its links.
set(FEELER_CARGO_IMPORT "")
set(FEELER_IMPORT_FILE "")
set(FEELER_SHARED_LINKS "")
set(FEELER_SONAME "")
set(FEELER_SONAME_FLAG "") # how the linker is told
if(WIN32)
    set(FEELER_CARGO_SHARED "feeler.dll")
    set(FEELER_SHARED_FILE "feeler.dll")
    if(MSVC)
        set(FEELER_CARGO_IMPORT "feeler.dll.lib")
        set(FEELER_CARGO_STATIC "feeler.lib")
    else()
        set(FEELER_CARGO_IMPORT "libfeeler.dll.a")
        set(FEELER_CARGO_STATIC "libfeeler.a")
    endif()
    set(FEELER_IMPORT_FILE "${FEELER_CARGO_IMPORT}")
    set(FEELER_SYSTEM_LIBRARIES kernel32 ntdll userenv ws2_32 dbghelp)
elseif(APPLE)
    set(FEELER_CARGO_SHARED "libfeeler.dylib")
    set(FEELER_CARGO_STATIC "libfeeler.a")
    set(FEELER_SHARED_FILE "libfeeler.${PROJECT_VERSION}.dylib")
    set(FEELER_SHARED_LINKS "libfeeler.${FEELER_SOVERSION}.dylib" "libfeeler.dylib")
    set(FEELER_SONAME "@rpath/libfeeler.${FEELER_SOVERSION}.dylib")
    set(FEELER_SONAME_FLAG "-install_name")
    set(FEELER_SYSTEM_LIBRARIES System c m)
else()
    set(FEELER_CARGO_SHARED "libfeeler.so")
    set(FEELER_CARGO_STATIC "libfeeler.a")
    set(FEELER_SHARED_FILE "libfeeler.so.${PROJECT_VERSION}")
    set(FEELER_SHARED_LINKS "libfeeler.so.${FEELER_SOVERSION}" "libfeeler.so")
    set(FEELER_SONAME "libfeeler.so.${FEELER_SOVERSION}")
    set(FEELER_SONAME_FLAG "-soname")
    # scripts/tests/packaging.sh compares this with what `rustc --print native-static-libs` says.
    set(FEELER_SYSTEM_LIBRARIES gcc_s util rt pthread m dl c)
endif()
set(FEELER_STATIC_FILE "${FEELER_CARGO_STATIC}")
