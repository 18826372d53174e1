#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long until the first byte of a result when a card does the work, next to what creating the
card's context alone takes on this machine, in the same run.

    tests/bench/first_byte.py CUIMG [RUNS]

CUIMG is a program or a script that starts one. A 3840x2160 half EXR is resized to 50 % with
lanczos3 and written to a pipe; each figure is the median of RUNS (5) fresh processes.
"""

import statistics
import subprocess
import sys
import tempfile
import time

GOAL_MS = 30  # more than the context


def context_ms():
    """Milliseconds of the driver's initialisation and the primary context, in a fresh process."""
    code = ("import ctypes, time\n"
            "begin = time.perf_counter()\n"
            "cuda = ctypes.CDLL('libcuda.so.1')\n"
            "context, device = ctypes.c_void_p(), ctypes.c_int()\n"
            "assert cuda.cuInit(0) == 0 and cuda.cuDeviceGet(ctypes.byref(device), 0) == 0\n"
            "assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device) == 0\n"
            "print((time.perf_counter() - begin) * 1000)\n")
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)


def first_byte_ms(command):
    begin = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        first = process.stdout.read(1)
        passed = (time.perf_counter() - begin) * 1000
        process.stdout.read()
    whole = (time.perf_counter() - begin) * 1000
    if not first or process.returncode != 0:
        sys.exit(f"{' '.join(command)} failed")
    return passed, whole


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    cuimg, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        picture = f"{folder}/in.exr"
        subprocess.run([cuimg, "noise", "--size", "3840x2160", "--channels", "RGBA", "+", "blur",
                        "--sigma", "3", "--type", "half", "--device", "cpu", picture], check=True)
        contexts = [context_ms() for _ in range(runs)]
        context = statistics.median(contexts)
        print(f"context alone: {context:.0f} ms (of {', '.join(f'{c:.0f}' for c in contexts)})")
        for device in ("cuda", "cpu"):
            for output in ("exr", "png"):
                command = [cuimg, "resize", "--filter", "lanczos3", "--size", "50%", "--device",
                           device, "--format", output, picture, "-"]
                first_byte_ms(command)  # warms the file cache and the self-check's
                results = [first_byte_ms(command) for _ in range(runs)]
                first = statistics.median(r[0] for r in results)
                whole = statistics.median(r[1] for r in results)
                goal = ""
                if device == "cuda":
                    goal = f", {first - context:.0f} ms after a context (goal {GOAL_MS})"
                print(f"4K half EXR to 50 % as {output} on {device}: first byte {first:.0f} ms, "
                      f"all {whole:.0f} ms{goal}")


if __name__ == "__main__":
    main()
