#!/usr/bin/env bash
# The examples, built against the installed library as a user would build them: what they print, and what they say
# to bad input. A second build with sanitizers reads a few hundred broken files.
source "$(dirname "$0")/common.sh"
check "install the library" install_library || finish "examples"

programs=$output/examples files=$output/files work=$output/work
rm -rf "$files" "$work"
mkdir -p "$work"
build_examples() {
    cmake -S c_examples -B "$1" -DCMAKE_PREFIX_PATH="$prefix" -DBUILD_SHARED_LIBS=ON -DCMAKE_C_FLAGS="$strict $2" \
        -DCMAKE_CXX_FLAGS="$strict $2" && cmake --build "$1" --parallel 2
}
check "build the examples" build_examples "$programs" "" || finish "examples"
check "write mesh files" python3 scripts/tests/make_meshes.py "$files"

# closest_points.c
check "closest_points" says '^distance 1.1547 between triangle 3 at \(0.333333, 0.333333, 0.333333\) and triangle 0 at \(1, 1, 1\)$' \
    "$programs/closest_points"
check "closest_points is strict C99" gcc -std=c99 $strict -I"$prefix/include" -fsyntax-only c_examples/closest_points.c

# sweep.c: the bullet is stopped by the plate that both frames miss.
check "sweep" says '^they meet 6\.6[0-9]* ms after the first, at \(0\.[0-9]+, -?0\.[0-9]+, -?0\.000\), with the bullet [3-5]\.[0-9]+ mm above' \
    "$programs/sweep"
check "sweep: both frames are free" says '^at the first frame the bullet is above the plate, at the second it is below$' "$programs/sweep"

# proxy_point.cpp: the proxy never gets inside, sticks and slips.
check "proxy_point" says '^proxy +inside 0 times' "$programs/proxy_point"
check "proxy_point slips and sticks" says '^touching +[1-9][0-9]+ steps, slipping in [1-9][0-9]* of them$' "$programs/proxy_point"

# load_and_query.c: every format gives the same table.
load="$programs/load_and_query"
table() { "$load" "$files/$1" "$files/cube.obj" "$files/${2:-poses.txt}" | sed -n '3,$p' | sed '/us per pose/d'; }
same_table() { diff <(table cube.obj | awk '{ print $1, $2, $3, $4 }') <(table "$@" | awk '{ print $1, $2, $3, $4 }'); }
rows_are_right() {
    local rows
    rows=$(table cube.obj | sed 1d | awk '{ print $1, $2, $3 }')
    echo "$rows"
    # 30 degrees turn the cube about its origin: its nearest corner then is sin(30) further to the left.
    [ "$rows" = "$(printf '0 apart 2\n1 touch 0\n2 apart 0.25\n3 apart 3.5')" ]
}
check "load_and_query: distances" rows_are_right
for name in quads.obj negative.obj ascii.stl binary.STL binary_called_solid.stl no_newline.obj; do
    check "load_and_query: $name" same_table $name
done
check "load_and_query: poses without a count" same_table cube.obj poses_commented.txt
check "load_and_query: no poses" says 'touch ' "$load" "$files/cube.obj" "$files/cube.obj"
check "load_and_query: margin" says ' apart +0.25 +[1-9]' "$load" "$files/cube.obj" "$files/cube.obj" "$files/poses.txt" --margin 0.5
refusals=(
    "usage" "usage|$files/cube.obj" "usage|$files/cube.obj|$files/cube.obj|a|b" "usage|--nonsense"
    "not a distance|$files/cube.obj|$files/cube.obj|--margin|-1" "not a distance|$files/cube.obj|$files/cube.obj|--margin|wide"
    "No such file|$files/missing.obj|$files/cube.obj" "No such file|$files/cube.obj|$files/cube.obj|$files/missing.txt"
    "s a directory|$files/strange|$files/cube.obj" "no triangle|$files/empty.obj|$files/cube.obj"
    "truncated|$files/empty.stl|$files/cube.obj" "no triangle|$files/no_face.obj|$files/cube.obj"
    "line 4: vertex 4|$files/cube.obj|$files/index_too_large.obj" "line 4: vertex 0|$files/index_zero.obj|$files/cube.obj"
    "line 4: vertex -4|$files/index_far_back.obj|$files/cube.obj" "three corners, not 2|$files/two_corners.obj|$files/cube.obj"
    "line 1: a vertex needs three|$files/two_numbers.obj|$files/cube.obj" "line 1: a vertex needs three|$files/word.obj|$files/cube.obj"
    "not_a_number.obj: .*vert|$files/not_a_number.obj|$files/cube.obj" "infinite.obj: .*vert|$files/infinite.obj|$files/cube.obj"
    "line 8: a vertex needs three|$files/half.obj|$files/cube.obj" "truncated|$files/half_ascii.stl|$files/cube.obj"
    "promises 12 triangles and holds 2|$files/half_binary.stl|$files/cube.obj"
    "promises 12 triangles and holds 0|$files/header_only.stl|$files/cube.obj"
    "less than the header|$files/half_header.stl|$files/cube.obj" "truncated|$files/promises_too_much.stl|$files/cube.obj"
    "noise|$files/noise.stl|$files/cube.obj" "noise|$files/noise.obj|$files/cube.obj"
    "only files that end in|$files/unknown.ply|$files/cube.obj"
    "line 1: a pose is 12|$files/cube.obj|$files/cube.obj|$files/poses_short.txt"
    "line 1: a pose is 12|$files/cube.obj|$files/cube.obj|$files/poses_long.txt"
    "line 1: a pose is 12|$files/cube.obj|$files/cube.obj|$files/poses_words.txt"
    "no pose|$files/cube.obj|$files/cube.obj|$files/poses_empty.txt"
    "line 1: .*rotation|$files/cube.obj|$files/cube.obj|$files/poses_mirror.txt"
    "line 1: .*|$files/cube.obj|$files/cube.obj|$files/poses_nan.txt")
for refusal in "${refusals[@]}"; do
    IFS='|' read -r -a parts <<<"$refusal"
    check "load_and_query refuses: ${refusal//$files\//}" refused "${parts[0]}" "$load" "${parts[@]:1}"
done

# haptic_loop.cpp: a short run, its figures and its picture.
haptic="$programs/haptic_loop"
haptic_run() {
    local log
    log=$("$haptic" --headless --seconds 2 --surface "$1" --picture "$work/run.svg" "${@:2}") || return 1
    echo "$log"
    grep -qE '^allocations +0$' <<<"$log" && grep -qE '^deadline misses +[0-9]+' <<<"$log" &&
        grep -qE '^latency +median .* p99 .* p99.9 .* max ' <<<"$log" && grep -qE '^steps +2000 at 1 kHz, [1-9][0-9]* of them' <<<"$log" &&
        grep -qE '^instead +all contacts within the margin: mean [0-9.]+, up to [1-9]' <<<"$log" &&
        grep -qE 'largest force [1-6]\.' <<<"$log" && picture_is_whole "$work/run.svg"
}
# A picture is well-formed XML, complete, and refers to nothing outside of itself.
picture_is_whole() {
    python3 - "$1" <<'PYTHON'
import sys, xml.etree.ElementTree as tree
text = open(sys.argv[1], encoding="utf-8").read()
root = tree.fromstring(text)
titles = {e.text for e in root.iter("{http://www.w3.org/2000/svg}text")}
wanted = {"What the hand felt", "Latency of a step: how often", "Distance, mm", "Force on the hand, N", "Latency of a step, µs"}
assert wanted <= titles, wanted - titles
assert "href" not in text and "url(http" not in text and "nan" not in text.lower().replace("nanum", "") and "inf " not in text
PYTHON
}
check "haptic_loop" haptic_run 5000
check "haptic_loop with a tool from a file" haptic_run 2000 --tool "$files/cube.obj"
check "haptic_loop refuses a broken tool" refused 'truncated' "$haptic" --tool "$files/half_binary.stl" --headless
check "haptic_loop refuses a missing tool" refused 'No such file' "$haptic" --tool "$files/missing.obj" --headless
check "haptic_loop refuses NaN" refused 'haptic_loop: FEELER_STATUS_INVALID_MESH' "$haptic" --tool "$files/not_a_number.obj" --headless
for arguments in "--seconds 0" "--seconds soon" "--surface 1" "--surface 1e99" "--seconds" "--nonsense" "--seconds nan"; do
    check "haptic_loop refuses $arguments" refused 'usage|is not a number' "$haptic" $arguments
done
check "haptic_loop tells an unwritable picture" refused 'cannot be written' "$haptic" --headless --seconds 1 --surface 200 \
    --picture "$work/no/such/folder.svg"

# deforming.c and double_buffer.c: a surface that follows its vertices, alone and between two threads.
dent_is_drawn() {
    local log
    log=$("$programs/deforming" --frames 20 --picture "$work/dent.svg") || return 1
    echo "$log"
    grep -qE '^followed +[0-9.]+ +[0-9.]+ +[0-9.]+$' <<<"$log" && grep -qE '^rebuilt, HIGH ' <<<"$log" &&
        grep -qE 'frame +20 of 20 .* [1-9][0-9]* contacts' <<<"$log" &&
        python3 -c 'import sys, xml.etree.ElementTree as t; assert len(list(t.parse(sys.argv[1]).getroot())) > 50' "$work/dent.svg"
}
check "deforming" dent_is_drawn
for arguments in "--frames 0" "--frames" "--nonsense"; do
    check "deforming refuses $arguments" refused 'usage' "$programs/deforming" $arguments
done
check "deforming tells an unwritable picture" refused 'cannot be written' "$programs/deforming" --frames 1 --picture "$work/no/such/folder.svg"
two_buffers() {
    local log
    log=$("$programs/double_buffer" --seconds 2 --cells 40) || return 1
    echo "$log"
    grep -qE '^allocations +0$' <<<"$log" && grep -qE ' at 1 kHz, [0-9]+ late, 0 busy$' <<<"$log" && grep -qE ' [1-9][0-9]* taken,' <<<"$log"
}
check "double_buffer" two_buffers
check "double_buffer refuses --cells 1" refused 'usage' "$programs/double_buffer" --cells 1

# simulator.cpp: the same history on one thread and on two.
simulator="$programs/simulator"
history_of() { "$simulator" --bodies 4 --steps 150 --triangles 200 --threads "$1" | grep -E '^touching|^simulated'; }
same_history() { diff <(history_of 1) <(history_of 2) && history_of 1 | grep -qE 'touching  [1-9]'; }
check "simulator" says '^queries +1800 .* us each' "$simulator" --bodies 4 --steps 150 --triangles 200
check "simulator: threads change nothing" same_history
for arguments in "--bodies 1" "--bodies many" "--steps 0" "--triangles 3" "--threads 0" "--bodies" "--nonsense 3" "--bodies -4"; do
    check "simulator refuses $arguments" refused 'usage|takes a number' "$simulator" $arguments
done

# Broken files under sanitizers: any exit status of the program's own will do, but no report and no signal.
sanitized=$output/examples_sanitized
check "build with sanitizers" build_examples "$sanitized" "-g -fsanitize=address,undefined -fno-sanitize-recover=all"
strange_files() {
    local file log status count=0
    for file in "$files"/strange/* "$files"/*.obj "$files"/*.[sS][tT][lL]; do
        log=$(ASAN_OPTIONS=exitcode=99 timeout 20 "$sanitized/load_and_query" "$file" "$file" 2>&1)
        status=$?
        count=$((count + 1))
        case $status in
        0 | 1) ;;
        *) printf '%s: exit status %s\n%s\n' "$file" $status "$log"; return 1 ;;
        esac
        [ $status -eq 0 ] || [ -n "$log" ] || { echo "$file: refused without a word"; return 1; }
    done
    [ $count -gt 300 ]
}
check "strange files" strange_files
check "poses under sanitizers" says ' poses, ' "$sanitized/load_and_query" "$files/cube.obj" "$files/ascii.stl" "$files/poses.txt"
check "haptic_loop under sanitizers" says '^picture' "$sanitized/haptic_loop" --headless --seconds 1 --surface 200 --picture "$work/sanitized.svg"
check "sweep under sanitizers" says '^they meet' "$sanitized/sweep"
check "proxy_point under sanitizers" says '^proxy +inside 0 times' "$sanitized/proxy_point"
check "simulator under sanitizers" says '^speed' "$sanitized/simulator" --bodies 3 --steps 10 --triangles 100 --threads 2
check "closest_points under valgrind" valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=all \
    --errors-for-leak-kinds=all "$programs/closest_points"
check "load_and_query under valgrind" valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=all \
    --errors-for-leak-kinds=all "$load" "$files/cube.obj" "$files/binary.STL" "$files/poses.txt"
finish "examples"
