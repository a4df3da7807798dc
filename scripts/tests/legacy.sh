#!/usr/bin/env bash
# Old programs over feeler: clients of PQP's and RAPID's interfaces by gcc and clang in every standard from C++11, under
# sanitizers, their cost, every way to find the packages, and a planner of OMPL.
source "$(dirname "$0")/common.sh"
check "install the library" install_library || finish "legacy"
legacy=$prefix/lib/feeler/legacy
work=$output/legacy
rm -rf "$work"
mkdir -p "$work"
link=(-L"$prefix/lib" -lfeeler -Wl,-rpath,"$prefix/lib" -pthread)
warnings="$strict -Wshadow -Wconversion"
clients=(tests/legacy/{main,contacts,along_a_path,planner,c_wrapper,misuse,values,rapid,cache}.cpp)

# compile <compiler> <standard> <program> <flags and sources...>
compile() { "$1" -std="$2" -O1 -g $warnings -I"$legacy/include" "${@:4}" -o "$3" "${link[@]}"; }
# in_every_standard <compiler>: compiles and runs the clients; two compilers do this at the same time.
in_every_standard() {
    local standard program
    for standard in c++11 c++14 c++17 c++20; do
        program=$work/clients_$1_$standard
        compile "$1" $standard "$program" "${clients[@]}" && "$program" 2>"$program.warnings" && echo "$standard passed" || return 1
        "$1" -std=$standard $warnings -fno-exceptions -fno-rtti -fsyntax-only -I"$legacy/include" -x c++ -include PQP.h -include RAPID.H \
            -include MatVec.h /dev/null || return 1
    done
}
in_every_standard g++ >"$work/g++.log" 2>&1 &
first=$!
check "the clients by clang++, C++11 to C++20" in_every_standard clang++
wait $first
first_passed() { cat "$work/g++.log"; [ "$1" -eq 0 ]; }
check "the clients by g++, C++11 to C++20" first_passed $?
warnings_are_told() {
    local sentence
    for sentence in 'BeginModel: the model was not empty' 'AddTri: the model has ended' 'EndModel: the model has no triangle' \
        'PQP_Collide: EndModel has not been called' 'PQP_Distance: R1 or R2 is no rotation' 'RAPID_Collide: a scale is not positive'; do
        grep -q "$sentence" "$work/clients_g++_c++11.warnings" || { echo "nobody said: $sentence"; return 1; }
    done
}
check "misuse is told on stderr" warnings_are_told
# Objects of different standards in one program, and hidden symbols.
mixed() {
    local standards=(c++11 c++17 c++20) i=0 source objects=()
    for source in "${clients[@]}"; do
        g++ -std=${standards[i % 3]} -O0 -fvisibility=hidden -I"$legacy/include" -c "$source" -o "$work/mixed_$i.o" || return 1
        objects+=("$work/mixed_$i.o")
        i=$((i + 1))
    done
    g++ "${objects[@]}" -o "$work/mixed" "${link[@]}" && "$work/mixed"
}
check "objects of three standards in one program" says ' 0 failed' mixed

check "the clients with sanitizers" compile g++ c++17 "$work/sanitized" -fsanitize=address,undefined -fno-sanitize-recover=all "${clients[@]}" &&
    check "the clients under sanitizers" says ' 0 failed' "$work/sanitized"
check "the threads with a race detector" compile g++ c++17 "$work/races" -fsanitize=thread tests/legacy/threads.cpp &&
    check "the threads under a race detector" says ' 0 failed' "$work/races"
check "the threads with sanitizers" compile g++ c++11 "$work/threads" -fsanitize=address,undefined -fno-sanitize-recover=all \
    tests/legacy/threads.cpp && check "the threads under sanitizers" says ' 0 failed' "$work/threads"
check "no leak" valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all \
    "$work/clients_g++_c++11"

# What the shim adds: time and allocations by the program itself, instructions by callgrind.
check "the cost program" g++ -std=c++11 -O2 -g $warnings -I"$legacy/include" tests/legacy/overhead.cpp -o "$work/overhead" "${link[@]}"
cost_is_low() { "$work/overhead" >"$work/overhead.txt" && grep -q ' 0 failed' "$work/overhead.txt"; }
check "less than 100 ns, no allocation" cost_is_low
cat "$work/overhead.txt"
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$work/overhead" "$@" 2>&1 | sed -n 's/.*Collected : //p'
}
few_instructions() {
    local shim own
    shim=$(($(instructions shim 2000) - $(instructions shim 1000)))
    own=$(($(instructions own 2000) - $(instructions own 1000)))
    echo "a distance through PQP's interface takes $(((shim - own) / 1000)) instructions more than $((own / 1000))" | tee "$work/instructions.txt"
    [ $(((shim - own) / 1000)) -lt 700 ]
}
check "less than 700 instructions" few_instructions
cat "$work/instructions.txt"

# Every way to find the packages. A name with a blank finds paths that were not quoted.
moved="$output/moved legacy prefix"
rm -rf "$moved" "$output/legacy first"
cp -a "$prefix" "$output/legacy first" && mv "$output/legacy first" "$moved"
uses() { if [ "$1" = ON ]; then ldd "$2" | grep -q 'libfeeler.so.* => /'; else ! ldd "$2" | grep -q libfeeler; fi; }
old_program() {
    local way=$1 shared=$2 build
    build=$work/$(printf %s "$*" | cksum | cut -d" " -f1)
    shift 2
    cmake -S tests/legacy/packaging -B "$build" -G Ninja -DWAY="$way" -DBUILD_SHARED_LIBS="$shared" -DCMAKE_CXX_FLAGS="$strict" \
        -DFEELER_SOURCE="$root" -DFEELER_CARGO_TARGET_DIR="$root/target" "$@" && cmake --build "$build" &&
        "$build/old_pqp" && "$build/old_rapid" && uses "$shared" "$build/old_pqp"
}
for shared in ON OFF; do
    check "components, installed, shared $shared" old_program components $shared -DCMAKE_PREFIX_PATH="$prefix"
    check "components, moved, shared $shared" old_program components $shared -DCMAKE_PREFIX_PATH="$moved"
    check "components, build tree, shared $shared" old_program components $shared -Dfeeler_DIR="$library"
    check "add_subdirectory, shared $shared" old_program add_subdirectory $shared
    check "old names, moved, shared $shared" old_program old_names $shared -DCMAKE_PREFIX_PATH="$moved/lib/feeler/legacy"
    check "old names, build tree, shared $shared" old_program old_names $shared -DCMAKE_PREFIX_PATH="$library/legacy"
    check "old variables, moved, shared $shared" old_program old_variables $shared -DCMAKE_PREFIX_PATH="$moved/lib/feeler/legacy"
done
check "Find modules of the program, moved" old_program old_modules ON -DCMAKE_PREFIX_PATH="$moved/lib/feeler/legacy"
check "nobody gets PQP by accident" refused 'PQP' old_program old_names ON -DCMAKE_PREFIX_PATH="$prefix"
no_header_by_accident() { ! find "$prefix/include" -iname '*pqp*' -o -iname '*rapid*' | grep .; }
check "no old header among feeler's" no_header_by_accident
pkg_config() {
    local flags
    flags=$(PKG_CONFIG_PATH="$1" pkg-config --cflags --libs "$2") &&
        eval "g++ -std=c++11 $strict tests/legacy/packaging/$3.cpp -o '$work/pkg_$3' $flags -Wl,-rpath,'$moved/lib'" && "$work/pkg_$3"
}
for interface in pqp rapid; do
    check "pkg-config, $interface" pkg_config "$moved/lib/feeler/legacy/lib/pkgconfig" $interface $interface
    check "pkg-config, feeler-$interface" pkg_config "$moved/lib/pkgconfig" feeler-$interface $interface
done
by_hand() {
    g++ -std=c++11 -I"$moved/lib/feeler/legacy/include" tests/legacy/packaging/pqp.cpp -o "$work/by_hand" -L"$moved/lib/feeler/legacy/lib" -lPQP \
        -Wl,-rpath,"$moved/lib/feeler/legacy/lib" && "$work/by_hand"
}
check "-lPQP in a makefile" by_hand

# A planner of OMPL through a narrow passage, in both languages.
if pkg-config --exists ompl; then
    planner() {
        cmake -S legacy/example -B "$work/example" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_FLAGS="$strict" &&
            cmake --build "$work/example" && "$work/example/narrow_passage" --language "$1" --seconds 120 >"$work/$1.txt" &&
            cat "$work/$1.txt"
    }
    for language in pqp feeler; do
        check "narrow_passage, $language" says 'share of the time in queries +[0-9]+' planner $language
        tail -4 "$work/$language.txt"
    done
else
    echo "OMPL is not installed; its example was not built"
fi
finish "legacy"
