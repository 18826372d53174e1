#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole folders by one command with its defaults, next to peers and next to other settings.

    tests/bench/folders.py PHOTOGRAPH [--cuimg PROGRAM] [--codec-rate PROGRAM] [--folder DIR]
                           [--scale 1.0] [--runs 3] [--only WORD]

PHOTOGRAPH is any picture that cuimg reads; the folders' files are made from it, each a little
different. They lie in memory (/dev/shm) unless --folder says otherwise. Peers are used where they
are installed: vips with GNU parallel, oiiotool, and OpenCV in a pool of processes. Ways alternate
after one run of each that does not count; a figure is the median. Prints a Markdown table, for
RESULTS.md.
"""

import argparse
import concurrent.futures
import datetime
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

CORES = len(os.sched_getaffinity(0))


def opencv_half(paths):
    """One task of a pool: reads, halves by areas, writes."""
    import cv2
    cv2.setNumThreads(1)
    source, target = paths
    picture = cv2.imread(source)
    small = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    cv2.imwrite(target, small, [cv2.IMWRITE_JPEG_QUALITY, 90])


class Folder:
    """Files of one kind, and the ways to halve them."""

    def __init__(self, options, name, extension, size, count, make_options=()):
        self.o, self.name, self.extension = options, name, extension
        self.inputs = os.path.join(options.folder, name.replace(" ", "-"))
        self.outputs = self.inputs + "-out"
        self.count = max(4, round(count * options.scale))
        os.makedirs(self.inputs)
        for i in range(min(self.count, 16)):
            path = os.path.join(self.inputs, f"{i:05}.{extension}")
            subprocess.run([options.cuimg, "resize", "--size", size, "+", "exposure", "--stops",
                            str(i / 64), options.photograph, path, *make_options], check=True)
        for i in range(16, self.count):
            shutil.copy(os.path.join(self.inputs, f"{i % 16:05}.{extension}"),
                        os.path.join(self.inputs, f"{i:05}.{extension}"))
        self.files = sorted(glob.glob(os.path.join(self.inputs, "*")))

    def cuimg(self, chain, *words):
        def run():
            subprocess.run([self.o.cuimg, *chain, *words, *self.files, "-o", self.outputs + "/"],
                           check=True)
        return run

    def codecs(self, *words):
        def run():
            out = subprocess.run([self.o.codec_rate, *words, self.outputs,
                                  os.path.join(self.o.folder, "half." + self.extension),
                                  *self.files], check=True, capture_output=True, text=True)
            return json.loads(out.stdout)["seconds"]
        subprocess.run([self.o.cuimg, "resize", "--size", "50%", self.files[0],
                        os.path.join(self.o.folder, "half." + self.extension)], check=True)
        return run

    def opencv(self):
        def run():
            os.makedirs(self.outputs, exist_ok=True)
            pairs = [(f, os.path.join(self.outputs, os.path.basename(f))) for f in self.files]
            with concurrent.futures.ProcessPoolExecutor(CORES) as pool:
                list(pool.map(opencv_half, pairs, chunksize=1))
        return run

    def parallel(self, *command):
        """@param command with {} for the input and {/} for its name."""
        def run():
            os.makedirs(self.outputs, exist_ok=True)
            subprocess.run(["parallel", f"-j{CORES}", *command, ":::", *self.files], check=True)
        return run

    def each(self, command):
        """One process after another, each with all cores."""
        def run():
            os.makedirs(self.outputs, exist_ok=True)
            for file in self.files:
                subprocess.run(command(file, os.path.join(self.outputs, os.path.basename(file))),
                               check=True)
        return run

    def measure(self, ways):
        """@param ways by name. Prints a row for each, the first one's time against it."""
        taken = {name: [] for name in ways}
        for round_number in range(self.o.runs + 1):
            for name, way in ways.items():
                shutil.rmtree(self.outputs, ignore_errors=True)
                begin = time.perf_counter()
                seconds = way() or time.perf_counter() - begin
                if round_number:
                    taken[name].append(seconds)
        ours = statistics.median(next(iter(taken.values())))
        for name, seconds in taken.items():
            median = statistics.median(seconds)
            print(f"| {self.count} {self.name}: {name} | {median:.3f} s | "
                  f"{self.count / median:.1f}/s | {ours / median:.2f} |", flush=True)
        shutil.rmtree(self.inputs)
        shutil.rmtree(self.outputs, ignore_errors=True)


def settings(folder, chain, options):
    ways = {"cuimg, defaults": folder.cuimg(chain)}
    if options.has_card:
        ways["cuimg --device cuda"] = folder.cuimg(chain, "--device", "cuda")
        ways["cuimg --device cpu"] = folder.cuimg(chain, "--device", "cpu")
    for jobs in options.jobs:
        ways[f"cuimg --jobs {jobs}"] = folder.cuimg(chain, "--jobs", str(jobs))
    return ways


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photograph")
    parser.add_argument("--cuimg", default="build/bin/cuimg")
    parser.add_argument("--codec-rate", default="build/bin/codec_rate")
    parser.add_argument("--folder", default="/dev/shm")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, nargs="*", default=[])
    options = parser.parse_args()
    listed = subprocess.run([options.cuimg, "devices"], capture_output=True, text=True)
    options.has_card = "cuda:0" in listed.stdout and "cannot" not in listed.stdout
    has_opencv = subprocess.run([sys.executable, "-c", "import cv2"], capture_output=True)
    print(f"{datetime.date.today()}, {CORES} cores, medians of {options.runs}\n")
    print("| what | time | rate | cuimg's defaults against it |\n|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        options.folder = name

        def wanted(what):
            return options.only in what

        half = ["resize", "--size", "50%"]
        if wanted("4K JPEGs"):
            folder = Folder(options, "4K JPEGs", "jpg", "3840x2160", 100 if CORES < 8 else 400)
            ways = settings(folder, half, options)
            ways["decoding and encoding alone"] = folder.codecs()
            ways["reading and writing coefficients alone"] = folder.codecs("--coefficients")
            if shutil.which("parallel") and shutil.which("vips"):
                ways["vips with parallel"] = folder.parallel(
                    "vips", "resize", "{}", folder.outputs + "/{/}[Q=90]", "0.5")
            if has_opencv.returncode == 0:
                ways["OpenCV, a process a core"] = folder.opencv()
            folder.measure(ways)
        if wanted("small PNGs"):
            folder = Folder(options, "small PNGs", "png", "256x256", 2000)
            ways = settings(folder, half, options)
            ways["decoding and encoding alone"] = folder.codecs()
            if shutil.which("parallel") and shutil.which("vips"):
                ways["vips with parallel"] = folder.parallel(
                    "vips", "resize", "{}", folder.outputs + "/{/}", "0.5")
            folder.measure(ways)
        if wanted("half ZIP EXRs"):
            folder = Folder(options, "half ZIP EXRs", "exr", "3840x2160", 20 if CORES < 8 else 100,
                            ["--type", "half", "--compression", "zip"])
            ways = settings(folder, half, options)
            ways["decoding and encoding alone"] = folder.codecs()
            if shutil.which("oiiotool"):
                ways["oiiotool"] = folder.each(lambda file, out: [
                    "oiiotool", file, "--resize:filter=lanczos3", "50%", "-o", out])
            folder.measure(ways)
        if wanted("uncompressed EXRs"):
            folder = Folder(options, "uncompressed EXRs", "exr", "3840x2160", 100,
                            ["--type", "half", "--compression", "none"])
            folder.measure(settings(folder, half, options))
        if wanted("filtered EXRs"):
            folder = Folder(options, "filtered EXRs", "exr", "3840x2160", 10 if CORES < 8 else 100,
                            ["--type", "half", "--compression", "none"])
            folder.measure(settings(
                folder, ["blur", "--sigma", "20", "+", "median", "--size", "15"], options))


if __name__ == "__main__":
    main()
