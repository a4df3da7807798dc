#!/usr/bin/env python3
"""Writes the binary interface of a shared library, as abidw sees it, without what a client cannot depend on.

    abi_description.py <library with debug information> [<baseline.xml>] > <description.xml>

Left out: in which Rust module a type stands, in which part of the compilation a function came out, and the names of
folders. What remains are symbols, signatures and layouts. With a baseline, structs that begin with struct_size are
shown as long as the baseline knows them, because they may grow at their end.
"""
import itertools
import re
import subprocess
import sys

STRUCT = re.compile(r"<class-decl name='(feeler_[a-z_]+)' size-in-bits='([0-9]+)'.*?</class-decl>\n", re.DOTALL)
MEMBER = re.compile(r"<data-member [^>]*layout-offset-in-bits='([0-9]+)'.*?</data-member>\n", re.DOTALL)


def described(library):
    options = ["--no-corpus-path", "--no-comp-dir-path", "--no-show-locs"]
    text = subprocess.run(["abidw", *options, library], check=True, capture_output=True, text=True).stdout
    if "function-decl name='feeler_version'" not in text:
        sys.exit(f"{library} has no debug information about feeler_version")
    text = re.sub(r"(?m)^ +", "", text)
    text = re.sub(r"</?namespace-decl[^>]*>\n", "", text)
    text = re.sub(r"<abi-instr [^>]*>\s*</abi-instr>\n", "", text)
    part = itertools.count(1)
    return re.sub(r"(<abi-instr address-size='[0-9]+') [^>]*>",
                  lambda found: f"{found[1]} path='part {next(part)}' language='LANG_C99'>", text)


def cut_to(baseline, text):
    """Growing structs without the members behind the end that the baseline gives them."""
    sizes = {found[1]: int(found[2]) for found in STRUCT.finditer(baseline) if "name='struct_size'" in found[0]}

    def cut(found):
        size = sizes.get(found[1])
        if size is None or int(found[2]) <= size:
            return found[0]
        kept = MEMBER.sub(lambda member: member[0] if int(member[1]) < size else "", found[0])
        return kept.replace(f"size-in-bits='{found[2]}'", f"size-in-bits='{size}'", 1)

    return STRUCT.sub(cut, text)


def main():
    text = described(sys.argv[1])
    if len(sys.argv) > 2:
        with open(sys.argv[2], encoding="utf-8") as baseline:
            text = cut_to(baseline.read(), text)
    sys.stdout.write(text)


main()
