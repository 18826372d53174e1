#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""translate.py SOURCE TARGET: CUDA C++ as plain C++ for the emulated card. Launches become calls,
shared memory static variables of the thread that launches; everything else is left to emulate.h."""

import pathlib
import re
import sys

IDENTIFIER = r"[A-Za-z_]\w*"


def code_only(text):
    """The text with comments and string literals blanked, of the same length."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def closing(code, start, opening, end):
    """The position of what closes the bracket that opens at `start`."""
    depth = 0
    for i in range(start, len(code)):
        depth += {opening: 1, end: -1}.get(code[i], 0)
        if depth == 0:
            return i
    raise ValueError(f"no {end} for the {opening} at {start}")


def kernel_start(code, end):
    """Where the name of the kernel begins that ends at `end`, template arguments included."""
    i = end
    while code[i - 1].isspace():
        i -= 1
    if code[i - 1] == ">":
        depth = 0
        while True:
            i -= 1
            depth += {">": 1, "<": -1}.get(code[i], 0)
            if depth == 0:
                break
    while code[i - 1].isalnum() or code[i - 1] in "_:":
        i -= 1
    return i


def translate_launches(text):
    while (at := code_only(text).find("<<<")) >= 0:
        code = code_only(text)
        begin = kernel_start(code, at)
        end = code.index(">>>", at)
        arguments = closing(code, code.index("(", end), "(", ")")
        text = (f"{text[:begin]}::emulated::launch({text[at + 3:end]}, "
                f"[&] {{ {text[begin:at].rstrip()}{text[end + 3:arguments + 1]}; }})"
                f"{text[arguments + 1:]}")
    return text


def translate(text):
    text = re.sub(rf"extern\s+__shared__\s+({IDENTIFIER}(?:::{IDENTIFIER})*)\s+({IDENTIFIER})\[\];",
                  r"\1* const \2 = ::emulated::shared<\1>();", text)
    # A card's shared memory begins at a multiple of far more than a value's size.
    # A parameter that all threads read in one place: a copy for each would take longer than the rest.
    text = re.sub(rf"const __grid_constant__ ([\w:]+(?:<[^<>]*>)?) ({IDENTIFIER})", r"const \1& \2", text)
    text = re.sub(r"__shared__", "alignas(64) static thread_local", text)
    return translate_launches(text)


source, target = map(pathlib.Path, sys.argv[1:])
target.parent.mkdir(parents=True, exist_ok=True)
target.write_text(f'#line 1 "{source}"\n' + translate(source.read_text()))
