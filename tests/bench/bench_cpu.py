#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time and memory of whole commands on the CPU, each next to its peer in the same run.

    tests/bench/bench_cpu.py PHOTOGRAPH [--cuimg PROGRAM] [--runs 7] [--only WORD] [--folder DIR]

PHOTOGRAPH is any picture of at least 3840x2160 that vips reads. Needs vips and oiiotool
(Debian: libvips-tools, openimageio-tools). Commands alternate, A B A B, after one run of each that
does not count; a figure is the median. Wall time is what a user waits; the processor time next to
it (user + system of the process) is less disturbed by what else the machine does. Prints a
Markdown table, for RESULTS.md.
"""

import argparse
import datetime
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

WIDTH, HEIGHT = 3840, 2160


def run(command):
    """One run: wall seconds, processor seconds, peak memory in bytes."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    if status != 0:
        sys.exit(f"{' '.join(command)}: {process.stderr.read().decode().strip()}")
    process.stderr.close()
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def alternate(commands, runs):
    """Each command's runs, taken in turn."""
    for command in commands:
        run(command)
    taken = [[] for _ in commands]
    for _ in range(runs):
        for command, results in zip(commands, taken):
            results.append(run(command))
    return taken


def median(results, index):
    return statistics.median(result[index] for result in results)


def first_line(*command):
    out = subprocess.run(command, capture_output=True, text=True)
    return (out.stdout + out.stderr).strip().splitlines()[0]


def machine():
    with open("/proc/cpuinfo") as file:
        model = re.search(r"model name\s*: (.*)", file.read())
    cores = len(os.sched_getaffinity(0))
    load = os.getloadavg()[0]
    return f"{model.group(1) if model else 'unknown processor'}, {cores} cores, load {load:.1f}"


class Bench:
    def __init__(self, options):
        self.o = options
        self.rows = []

    def path(self, name):
        return os.path.join(self.o.folder, name)

    def make_inputs(self):
        quiet = dict(check=True, stdout=subprocess.DEVNULL)
        png, jpg, exr = self.path("in.png"), self.path("in.jpg"), self.path("in.exr")
        crop = ["vips", "crop", self.o.photograph]
        area = ["0", "0", str(WIDTH), str(HEIGHT)]
        subprocess.run([*crop, png + "[strip]", *area], **quiet)
        subprocess.run([*crop, jpg + "[Q=90,strip]", *area], **quiet)
        subprocess.run(["vips", "thumbnail", png, self.path("small.png"), "256", "--height", "256",
                        "--size", "force"], **quiet)
        # Interpolated, so that halves use all their bits; alpha from 0 to 1.
        rgb, alpha = self.path("rgb.exr"), self.path("alpha.exr")
        size = f"{WIDTH}x{HEIGHT}"
        subprocess.run([self.o.cuimg, "resize", "--size", size, "--type", "half",
                        self.o.photograph, rgb], **quiet)
        subprocess.run(["oiiotool", "--pattern", "fill:left=0.0:right=1.0", size, "1", "--chnames",
                        "A", "-d", "half", "-o", alpha], **quiet)
        subprocess.run(["oiiotool", rgb, alpha, "--chappend", "-d", "half", "--compression", "zip",
                        "-o", exr], **quiet)
        subprocess.run(["oiiotool", exr, "-d", "float", "-o", self.path("float.exr")], **quiet)

    def wanted(self, what):
        return self.o.only in what

    def beside_peer(self, what, ours, peer, goal, files=None, size_goal=None):
        """Wall time over the peer's; with `files` the outputs' sizes as well."""
        if not self.wanted(what):
            return
        a, b = alternate([ours, peer], self.o.runs)
        for index, name in ((0, "wall"), (1, "processor")):
            x, y = median(a, index), median(b, index)
            met = ("yes" if x / y <= goal else "NO") if index == 0 else ""
            self.row(f"{what}, {name}", f"{x * 1e3:.0f} ms", f"{y * 1e3:.0f} ms", f"{x / y:.2f}",
                     f"{goal}" if index == 0 else "", met)
        if files:
            x, y = (os.path.getsize(file) for file in files)
            met = "" if size_goal is None else ("yes" if x / y <= size_goal else "NO")
            self.row(f"{what}, bytes", x, y, f"{x / y:.2f}", size_goal or "", met)

    def below(self, what, command, limit_ms):
        if not self.wanted(what):
            return
        (results,) = alternate([command], 3 * self.o.runs)
        for index, name in ((0, "wall"), (1, "processor")):
            x = median(results, index) * 1e3
            met = ("yes" if x < limit_ms else "NO") if index == 0 else ""
            self.row(f"{what}, {name}", f"{x:.1f} ms", "", "", f"{limit_ms} ms" if met else "", met)

    def reads(self, what, command, step, pixels):
        """Texture reads a second and core: the processor time that --timing tells of the step."""
        if not self.wanted(what):
            return
        times = []
        for _ in range(self.o.runs + 1):
            out = subprocess.run([*command, "--timing", "--json"], capture_output=True, check=True)
            steps = json.loads(out.stdout.splitlines()[0])["timing"]
            times.append(next(s["milliseconds"] for s in steps if s["step"] == step) / 1e3)
        rate = pixels / statistics.median(times[1:]) / 1e6
        self.row(what, f"{rate:.0f} M/s", "", "", "25 M/s", "yes" if rate >= 25 else "NO")

    def memory(self, what, source, target, pixel_bytes, size):
        if not self.wanted(what):
            return
        scale = 2.0 if size == "200%" else 0.5
        command = [self.o.cuimg, "resize", "--size", size, source, target]
        peak = max(run(command)[2] for _ in range(3)) / 1e6
        limit = 2.5 * max(1, scale * scale) * WIDTH * HEIGHT * pixel_bytes / 1e6 + 64
        met = "yes" if peak <= limit else "NO"
        self.row(what, f"{peak:.0f} MB", "", "", f"{limit:.0f} MB", met)

    def row(self, *cells):
        self.rows.append(cells)
        print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)

    def stages(self):
        """Stages of the catalogue next to what they replace, no slower than it."""
        c = self.o.cuimg
        exr, png = self.path("in.exr"), self.path("in.png")
        a, b = self.path("a.exr"), self.path("b.exr")
        for what, ours, theirs, goal in (
                ("blur sigma 2", ["blur", "--sigma", "2"], ["--blur:kernel=gaussian", "9x9"], 0.2),
                ("median 5x5", ["median", "--size", "5"], ["--median", "5x5"], 1.0),
                ("dilate radius 7", ["dilate", "--radius", "7"], ["--dilate", "15x15"], 1.0),
                ("rotate 17 linear", ["rotate", "--angle", "17"],
                 ["--rotate:filter=triangle", "17"], 0.2),
                ("rotate 17 cubic", ["rotate", "--angle", "17", "--filter", "cubic"],
                 ["--rotate:filter=keys", "17"], 0.2),
                ("rotate 17, each one's default", ["rotate", "--angle", "17"], ["--rotate", "17"],
                 0.2),
                ("over", ["over", "--with", exr], [exr, "--over"], 1.0),
                ("exposure", ["exposure", "--stops", "1"], ["--mulc", "2,2,2,1"], 1.0)):
            self.beside_peer(f"stage {what}, EXR half RGBA, oiiotool", [c, *ours, exr, a],
                             ["oiiotool", exr, *theirs, "--compression", "zip", "-o", b], goal)
        a, b = self.path("a.png"), self.path("b.png")
        for what, ours, theirs in (
                ("blur sigma 2", ["blur", "--sigma", "2"], ["gaussblur", png, b, "2"]),
                ("blur sigma 20", ["blur", "--sigma", "20"], ["gaussblur", png, b, "20"]),
                ("median 5x5", ["median", "--size", "5"], ["rank", png, b, "5", "5", "12"]),
                ("rotate 17", ["rotate", "--angle", "17"], ["rotate", png, b, "17"]),
                ("sobel", ["sobel"], ["sobel", png, b])):
            self.beside_peer(f"stage {what}, PNG RGB, vips", [c, *ours, png, a], ["vips", *theirs],
                             1.0)

    def main(self):
        c = self.o.cuimg
        self.make_inputs()
        print(f"{datetime.date.today()}; {machine()}; medians of {self.o.runs} alternating runs; "
              f"{first_line(c, '--version')}; {first_line('vips', '--version')}; "
              f"oiiotool {first_line('oiiotool', '--version')}\n")
        print("| what | cuimg | peer | ratio | goal | met |\n|---|---|---|---|---|---|")
        half = ["resize", "--size", "50%", "--filter", "lanczos3"]
        size = f"{WIDTH // 2}x{HEIGHT // 2}"
        a, b = self.path("a.exr"), self.path("b.exr")
        self.beside_peer("EXR half ZIP RGBA 4K to 50 % lanczos3, oiiotool",
                         [c, *half, self.path("in.exr"), a],
                         ["oiiotool", self.path("in.exr"), "--resize:filter=lanczos3", size,
                          "--compression", "zip", "-o", b], 0.15, (a, b))
        a, b = self.path("a.png"), self.path("b.png")
        vips = ["0.5", "--kernel", "lanczos3"]
        self.beside_peer("PNG RGB 4K to 50 % lanczos3, vips", [c, *half, self.path("in.png"), a],
                         ["vips", "resize", self.path("in.png"), b, *vips], 1.0, (a, b), 1.3)
        # vips would keep all chroma at this quality.
        a, b = self.path("a.jpg"), self.path("b.jpg")
        self.beside_peer("JPEG Q 90 4:2:0 4K to 50 % lanczos3, vips",
                         [c, *half, "--quality", "90", self.path("in.jpg"), a],
                         ["vips", "resize", self.path("in.jpg"), b + "[Q=90,subsample_mode=on]",
                          *vips], 1.0, (a, b))
        self.stages()
        self.below("cuimg --version", [c, "--version"], 10)
        self.below("PNG 256x256 to 50 %", [c, "resize", self.path("small.png"), self.path("a.png")],
                   30)
        common = ["--filter", "linear", "--device", "cpu", "--compression", "none"]
        files = [self.path("in.exr"), self.path("a.exr")]
        self.reads("texture-unit reads, half RGBA, linear 200 %",
                   [c, "resize", *common, "--size", "200%", *files], "resize", 4 * WIDTH * HEIGHT)
        # Coordinates that wander: two channels of the picture as a map of itself.
        self.reads("texture-unit reads, half RGBA, remap linear",
                   [c, "remap", *common, "--map", self.path("in.exr"), "--coords", "normalized",
                    "--border", "mirror", *files], "remap", WIDTH * HEIGHT)
        for name, bytes_, kind in (("in.exr", 8, "half"), ("float.exr", 16, "float"),
                                   ("in.png", 3, "u8"), ("in.jpg", 3, "u8")):
            extension = name[-3:]
            for size in ("50%", "200%"):
                self.memory(f"peak memory, {extension.upper()} {kind}, {size}", self.path(name),
                            self.path("m." + extension), bytes_, size)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photograph")
    parser.add_argument("--cuimg", default=os.path.join(here, "../../build/bin/cuimg"))
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--only", default="", help="a word of the row's name")
    parser.add_argument("--folder", help="where inputs and outputs go; kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        options.folder = options.folder or folder
        os.makedirs(options.folder, exist_ok=True)
        Bench(options).main()


if __name__ == "__main__":
    main()
