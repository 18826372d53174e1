#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sorts source files into groups that compile as one each, and prints the groups' files.

group_sources.py ROOT OUTPUT_PREFIX MOST FILE...

A group is a file OUTPUT_PREFIX_N.cpp (or .cu) of at most MOST #includes; a file that is left alone
is printed as it is. Two files are kept apart where a name that one of them keeps to itself, in an
unnamed namespace or as a macro, is declared in the other or in a header that the other includes:
together they would not compile, or a call would find another function. Only an alias may be
declared again, in the same words. FILE=MADE reads FILE and includes MADE, which the build makes
from it.
"""
import functools
import pathlib
import re
import sys

UNNAMED = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
MACRO = re.compile(r"^#\s*define\s+(\w+)", re.MULTILINE)
TYPE = re.compile(r"\b(?:struct|class|enum class|enum|union|using|concept)\s+"
                  r"(?:alignas\([^)]*\)\s*)?(\w+)")
# A member that is defined outside of its class is no name of its own.
OTHER = re.compile(r"(?<!::)\b(\w+)\s*(?:\(|=|;|\{|\[)")
# Overloaded on a type of the file's own, so that two of them do not meet. The last are googletest's.
SHARED = {"choices_of", "parse_value", "format_value", "namespace", "TEST", "TEST_F", "TEST_P"}


def declared(text):
    """The names that begin a declaration in the first column, where clang-format leaves them, each
    with its whole declaration if that is an alias, else with ""."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"^(?:template\b.*>|extern .*|#.*)$", "", text, flags=re.MULTILINE)
    text = re.sub(r"(?:__launch_bounds__|alignas)\([^)]*\)|\[\[\w+\]\]", "", text)
    names = set()
    for chunk in re.findall(r"^(?![\s}])[^;{=]*[;{=]", text, re.MULTILINE):
        match = TYPE.match(chunk) or OTHER.search(chunk)
        if match and not chunk.startswith(("namespace", "using")):
            names.add((match[1], ""))
    for alias, name in re.findall(r"^((?:using|namespace) (\w+)\s*=[^;]*);", text, re.MULTILINE):
        names.add((name, " ".join(alias.split())))
    for spaces in re.findall(r"^namespace ([\w:]+)\b(?!\s*=)", text, re.MULTILINE):
        names |= {(name, "") for name in spaces.split("::")}
    return names


class Sources:
    def __init__(self, root):
        self.folders = [root, root / "lib", root / "tests", root / "tests/emulated_card"]

    @functools.cache
    def headers(self, path):
        """The project's files that a file includes, by way of others too."""
        found = set()
        for name in re.findall(r'^#\s*include "([^"]+)"', path.read_text(), re.MULTILINE):
            for folder in [path.parent, *self.folders]:
                if (folder / name).is_file():
                    header = (folder / name).resolve()
                    found |= {header} | self.headers(header)
                    break
        return found

    @functools.cache
    def private(self, path):
        text = path.read_text()
        names = {(name, "") for name in MACRO.findall(text)}
        for unnamed in UNNAMED.findall(text):
            names |= declared(unnamed)
        return {(name, alias) for name, alias in names if name not in SHARED}

    @functools.cache
    def declared_in(self, path):
        return declared(path.read_text())

    @functools.cache
    def known(self, path):
        return self.private(path).union(*map(self.declared_in, {path} | self.headers(path)))

    def clash(self, a, b):
        def meet(private, known):
            return any(name == other and not (alias and alias == again)
                       for name, alias in private for other, again in known)
        return meet(self.private(a), self.known(b)) or meet(self.private(b), self.known(a))


def main():
    root, prefix, most = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    made = dict((pathlib.Path(word.partition("=")[0]), word.rpartition("=")[2])
                for word in sys.argv[4:])
    sources, groups = Sources(root), []
    for path in made:
        for group in groups:
            if (len(group) < most and path.suffix == group[0].suffix and
                    not any(sources.clash(path, other) for other in group)):
                group.append(path)
                break
        else:
            groups.append([path])
    old = set(pathlib.Path(prefix).parent.glob(f"{pathlib.Path(prefix).name}_[0-9]*"))
    for number, group in enumerate(groups, 1):
        if len(group) == 1:
            print(made[group[0]])
            continue
        file = pathlib.Path(f"{prefix}_{number}{pathlib.Path(made[group[0]]).suffix}")
        old.discard(file)
        text = "// Made by cmake/group_sources.py.\n"
        text += "".join(f'#include "{made[path]}"\n' for path in group)
        if not file.exists() or file.read_text() != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        print(file)
    for file in old:
        file.unlink()


if __name__ == "__main__":
    main()
