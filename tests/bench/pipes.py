#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One chain of three stages, and three processes joined by pipes that do the same.

    tests/bench/pipes.py CUIMG [RUNS]

The picture is a 3840x2160 half RGBA EXR without compression, on /dev/shm like the results, so that
no disk is measured. Of a float picture both ways must give the same bytes; of halves they need not,
because a pipe's picture is rounded to halves between stages. Each figure is the median of RUNS (5) runs of
each way in turn; the memory is the sum of the processes' peaks.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

STAGES = [["exposure", "--stops", "1"], ["blur", "--sigma", "2"], ["resize", "--size", "50%"]]


def run(commands):
    """Runs the commands joined by pipes. @returns milliseconds and the sum of their peaks in MB."""
    begin = time.perf_counter()
    processes, source = [], None
    for command in commands:
        last = command is commands[-1]
        process = subprocess.Popen(command, stdin=source, stdout=None if last else subprocess.PIPE)
        if source:
            source.close()
        source = process.stdout
        processes.append(process)
    megabytes = 0
    for process in processes:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        megabytes += used.ru_maxrss / 1024
    return (time.perf_counter() - begin) * 1000, megabytes


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    cuimg, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 5
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = pathlib.Path(name)
        picture, chained, piped = (str(folder / file) for file in ("in.exr", "chain.exr", "pipe.exr"))
        chain = [cuimg, *STAGES[0], "+", *STAGES[1], "+", *STAGES[2], picture, chained]
        pipes = [[cuimg, *STAGES[0], picture, "-"], [cuimg, *STAGES[1], "-", "-"],
                 [cuimg, *STAGES[2], "-", piped]]

        def make(kind):
            subprocess.run([cuimg, "noise", "--size", "3840x2160", "--channels", "RGBA", "--type",
                            kind, "--compression", "none", picture], check=True)

        make("float")
        run([chain])
        run(pipes)
        same = pathlib.Path(chained).read_bytes() == pathlib.Path(piped).read_bytes()
        make("half")
        results = {"one chain": [], "three processes": []}
        for _ in range(runs):
            results["one chain"].append(run([chain]))
            results["three processes"].append(run(pipes))
    medians = {what: [statistics.median(column) for column in zip(*figures)]
               for what, figures in results.items()}
    print(f"floats by both ways are the same bytes: {'yes' if same else 'no'}; {os.cpu_count()} cores, "
          f"medians of {runs}\n\n| what | ms | MB |\n|---|---|---|")
    for what, (ms, megabytes) in medians.items():
        print(f"| {what} | {ms:.0f} | {megabytes:.0f} |")
    print(f"\nratio {medians['three processes'][0] / medians['one chain'][0]:.2f}")
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
