# Sourced by the scripts of this folder: counts checks, and prepares the installed library once for all of them.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root" || exit 1
output=$root/target/drop_in
prefix=$output/prefix
library=$output/library
strict="-Wall -Wextra -Wpedantic -Werror"
passed=0 failed=0
mkdir -p "$output"

# limited <command...>: runs a function, or a program that is stopped when it hangs.
limited() {
    if declare -F "$1" >/dev/null; then "$@"; else timeout 300 "$@"; fi
}

# check <what> <command...>: one test; its output is shown when it fails.
check() {
    local what=$1 log status
    shift
    log=$(limited "$@" 2>&1)
    status=$?
    if [ $status -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED (%s): %s\n    %s\n%s\n' "$status" "$what" "$*" "$log"
    fi
    return $status
}

# refused <pattern> <command...>: succeeds when the command fails with an exit status of its own (no signal) and says
# something that matches the pattern.
refused() {
    local pattern=$1 log status
    shift
    log=$(limited "$@" 2>&1)
    status=$?
    if [ $status -eq 0 ] || [ $status -ge 124 ]; then
        echo "exit status $status: $log"
        return 1
    fi
    # As one line, because CMake breaks its messages where it likes.
    tr -s ' \n' ' ' <<<"$log" | grep -qE -- "$pattern" || { echo "$log"; echo "nothing matches: $pattern"; return 1; }
}

# says <pattern> <command...>: succeeds when the command succeeds and says something that matches the pattern.
says() {
    local pattern=$1 log
    shift
    log=$(limited "$@" 2>&1) || { echo "exit status $?: $log"; return 1; }
    grep -qE -- "$pattern" <<<"$log" || { echo "$log"; echo "nothing matches: $pattern"; return 1; }
}

# Configures, builds and installs the library into $prefix; cargo's results are shared with all other tests.
install_library() {
    cmake -S . -B "$library" -DCMAKE_INSTALL_PREFIX="$prefix" -DFEELER_CARGO_TARGET_DIR="$root/target" &&
        cmake --build "$library" && rm -rf "$prefix" && cmake --install "$library"
}

# finish <name>: the summary line and the exit status.
finish() {
    echo "$1: $passed passed, $failed failed"
    [ $failed -eq 0 ]
    exit
}
