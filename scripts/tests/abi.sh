#!/usr/bin/env bash
# The binary interface only grows: nothing that a client of version 0.1 was compiled with has gone or moved. An
# incompatible change needs a new soname, that is a new major version, and then a new baseline:
#   python3 scripts/tests/abi_description.py target/checked/libfeeler.so > tests/abi/feeler-<version>.xml
source "$(dirname "$0")/common.sh"
baseline=tests/abi/feeler-0.1.xml
work=$output/abi
rm -rf "$work"
mkdir -p "$work"
folder=$(bash scripts/build_library.sh checked) || exit 1

# Extending and nothing else: new functions are welcome, as are new fields at the end of structs with a struct_size.
extends() {
    local old=$1 new=$work/new.xml
    python3 scripts/tests/abi_description.py "$folder/libfeeler.so" "$old" >"$new" || return 2
    abidiff --no-added-syms "$old" "$new"
}
soname() { sed -n "s/.*<abi-corpus .*soname='\([^']*\)'.*/\1/p" "$1"; }
python3 scripts/tests/abi_description.py "$folder/libfeeler.so" >"$work/now.xml" || exit 1
if [ "$(soname "$work/now.xml")" != "$(soname $baseline)" ]; then
    echo "the soname is $(soname "$work/now.xml"), that of $baseline $(soname $baseline): a new baseline is needed"
    exit 1
fi
check "the library extends 0.1" extends $baseline

# The comparison notices what it is there for: the baseline is changed so that the library lacks or moved something.
changed() { # <name> <sed script>
    sed -E "$2" $baseline >"$work/$1.xml"
    ! cmp -s $baseline "$work/$1.xml" || { echo "the script changed nothing"; return 0; }
    extends "$work/$1.xml"
}
check "a function that is gone is noticed" refused '1 Removed function' changed gone 's/feeler_pair_reset/feeler_pair_gone/'
check "a field that moved is noticed" refused 'offset changed' changed moved \
    "/class-decl name='feeler_mesh'/,/class-decl>/s/layout-offset-in-bits='128'/layout-offset-in-bits='192'/"
check "a plain struct that grew is noticed" refused 'size changed' changed larger "/class-decl name='feeler_contact'/s/size-in-bits='768'/size-in-bits='736'/"
check "a field that is gone is noticed" refused 'size changed' changed shorter \
    "/class-decl name='feeler_counters'/s/size-in-bits='640'/size-in-bits='6400'/"
check "a parameter of another type is noticed" refused 'sub-type change' changed parameter \
    "/function-decl name='feeler_pair_set_transforms'/,/function-decl>/s/(name='a'.*)/\1/; /function-decl name='feeler_pair_memory'/,/function-decl>/s/return type-id='[^']*'/return type-id='type-id-8'/"
finish "binary interface"
