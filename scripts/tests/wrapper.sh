#!/usr/bin/env bash
# The C++ wrapper by gcc and clang, C++17 and C++20, all warnings as errors; under valgrind and sanitizers as well.
source "$(dirname "$0")/common.sh"
check "install the library" install_library || finish "C++ wrapper"

link=(-L"$prefix/lib" -lfeeler -Wl,-rpath,"$prefix/lib" -pthread)
for compiler in g++ clang++; do
    for standard in c++17 c++20; do
        program=$output/wrapper_$compiler
        check "wrapper.cpp as $standard by $compiler" $compiler -std=$standard -O1 -g $strict -Wshadow -Wconversion \
            -I"$prefix/include" tests/cpp/wrapper.cpp -o "$program" "${link[@]}" &&
            check "wrapper ($compiler, $standard)" says ' 0 failed' "$program"
    done
    check "the header alone by $compiler" $compiler -x c++ -std=c++17 $strict -fsyntax-only -I"$prefix/include" \
        -include feeler.hpp /dev/null
done
check "wrapper under valgrind" valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=all \
    --errors-for-leak-kinds=all "$output/wrapper_g++"
check "wrapper.cpp with sanitizers" g++ -std=c++17 -g $strict -fsanitize=address,undefined \
    -fno-sanitize-recover=all -I"$prefix/include" tests/cpp/wrapper.cpp -o "$output/wrapper_sanitized" "${link[@]}" &&
    check "wrapper under sanitizers" says ' 0 failed' "$output/wrapper_sanitized"
finish "C++ wrapper"
