#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`cuimg compare` by whole commands, next to peers and next to decoding alone.

    tests/bench/compare.py [--cuimg PROGRAM] [--decode-files PROGRAM] [--folder DIR] [--runs 5]
                           [--pairs 200] [--peer-pairs 200] [--only WORD] [--flip-python PYTHON]

Pictures are made by cuimg: a scene of spheres with noise, and the same a little brighter, as half
EXRs (ZIP) and 8-bit PNGs of 3840x2160; and folders of 1920x1080 PNGs. They lie in memory (/dev/shm)
unless --folder says otherwise. Peers are used where they are installed: idiff and oiiotool, gm,
ImageMagick's compare, and flip-evaluator and scikit-image of --flip-python. Ways alternate after one
run of each that does not count; a figure is the least, because other work on the machine only adds.
"CPU" are processor seconds, which other work changes less. Prints Markdown tables, for RESULTS.md.
"""

import argparse
import datetime
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

CORES = len(os.sched_getaffinity(0))
VALUES = "max_absolute,rmse,psnr,max_ulp"

FLIP_EVALUATOR = """
import sys, flip_evaluator
flip_evaluator.evaluate(sys.argv[1], sys.argv[2], sys.argv[3])
"""
SCIKIT_IMAGE = """
import sys
from skimage.io import imread
from skimage.metrics import structural_similarity
a, b = (imread(name)[..., :3] for name in sys.argv[1:3])
structural_similarity(a, b, channel_axis=2, gaussian_weights=True, sigma=1.5,
                      use_sample_covariance=False)
"""


def has(program):
    return shutil.which(program) is not None


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Bench:
    def __init__(self, options):
        self.o = options

    def at(self, *names):
        return os.path.join(self.o.folder, *names)

    def make(self, *words):
        subprocess.run([self.o.cuimg, *words], check=True)

    def imports(self, module):
        return subprocess.run([self.o.flip_python, "-c", f"import {module}"],
                              capture_output=True).returncode == 0

    def compare(self, *words):
        return lambda: self.run([self.o.cuimg, "compare", "-q", *words], (0, 1))

    def peer(self, *words, codes=(0, 1, 2)):
        return lambda: self.run(words, codes)

    @staticmethod
    def run(words, codes):
        done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode not in codes:
            sys.exit(f"{words} ended with {done.returncode}: {done.stderr.decode()[-500:]}")

    def measure(self, title, ways, runs=None):
        """@param ways by name, the first being what others are compared with.
        @returns their least seconds, wall and CPU."""
        runs = runs or self.o.runs
        least = {name: (float("inf"), float("inf")) for name in ways}
        # One run alone has none before it that does not count.
        for number in range(runs + 1) if runs > 1 else [1]:
            for name, way in ways.items():
                begin, used = time.perf_counter(), processor_seconds()
                way()
                if number:
                    taken = time.perf_counter() - begin, processor_seconds() - used
                    least[name] = tuple(map(min, least[name], taken))
        first = next(iter(least.values()))
        print(f"\n| {title} | s | against the first | CPU s | against the first |\n"
              "|---|---|---|---|---|")
        for name, (wall, cpu) in least.items():
            print(f"| {name} | {wall:.3f} | {wall / first[0]:.2f} | {cpu:.3f} | "
                  f"{cpu / first[1]:.2f} |")
        print(end="", flush=True)
        return list(least.values())

    def make_4k(self):
        size = ["--size", "3840x2160"]
        self.make("noise", *size, "--channels", "RGBA", "--distribution", "gaussian", "--mean", "0",
                  "--stddev", "0.02", self.at("noise.exr"))
        self.make("spheres", *size, "--channels", "RGB", "+", "add", "--with", self.at("noise.exr"),
                  "+", "channels", "--pick", "R,G,B,A=1", "--type", "half", self.at("a.exr"))
        self.make("exposure", "--stops", "0.02", self.at("a.exr"), self.at("b.exr"))
        for name in "ab":
            self.make("tonemap", "--curve", "neutral", "+", "channels", "--pick", "R,G,B",
                      "--type", "u8", self.at(name + ".exr"), self.at(name + ".png"))

    def one_pass(self):
        exrs = [self.at("a.exr"), self.at("b.exr")]
        ways = {"decoding both, `decode_files`": self.peer(self.o.decode_files, *exrs),
                f"`cuimg compare --metric {VALUES}`": self.compare("--metric", VALUES, *exrs),
                "the same with ssim, ms_ssim, delta_e_2000": self.compare(
                    "--metric", VALUES + ",ssim,ms_ssim,delta_e_2000", *exrs)}
        if has("idiff"):
            ways["`idiff`"] = self.peer("idiff", *exrs)
        if has("oiiotool"):
            ways["`oiiotool --diff`"] = self.peer("oiiotool", *exrs, "--diff")
        self.measure("two 4K half EXRs", ways)

    def flip(self):
        pngs = [self.at("a.png"), self.at("b.png")]
        exrs = [self.at("a.exr"), self.at("b.exr")]
        ways = {"decoding both, `decode_files`": self.peer(self.o.decode_files, *pngs),
                f"`cuimg compare --metric {VALUES}`": self.compare("--metric", VALUES, *pngs),
                "`cuimg compare --metric flip`": self.compare("--metric", "flip", *pngs),
                "`cuimg compare --metric ssim`": self.compare("--metric", "ssim", *pngs)}
        if has("idiff"):
            ways["`idiff`"] = self.peer("idiff", *pngs)
        self.measure("two 4K PNGs", ways)
        peers = {}
        if self.imports("flip_evaluator"):
            peers["flip-evaluator"] = self.peer(self.o.flip_python, "-c", FLIP_EVALUATOR, *pngs,
                                                "LDR")
        if self.imports("skimage"):
            peers["scikit-image, SSIM of channels"] = self.peer(self.o.flip_python, "-c",
                                                                SCIKIT_IMAGE, *pngs)
        if peers:
            self.measure("two 4K PNGs, one run", peers, runs=1)

        def hdr(count):
            return self.compare("--metric", "hdr_flip", f"--exposures=-4,1,{count}", *exrs)

        ways = {"`cuimg compare --metric hdr_flip`, 2 exposures": hdr(2), "6 exposures": hdr(6)}
        least = self.measure("two 4K half EXRs, HDR-FLIP", ways)
        wall, cpu = ((six - two) / 4 for two, six in zip(*least))
        print(f"\nAn exposure more takes {wall:.3f} s, {cpu:.3f} CPU s.")

    def make_folders(self):
        """Ten pictures, linked to as many names as are wanted; in `same` nine of ten have the
        golden's pixels in other bytes, in `other` none has."""
        for folder in ("golden", "same", "other"):
            os.makedirs(self.at(folder))
        for i in range(10):
            golden = self.at(f"golden{i}.png")
            self.make("spheres", "--size", "1920x1080", "--seed", str(i + 1), "--rays", "2",
                      "--channels", "RGB", "+", "tonemap", "--type", "u8", golden)
            same, other = self.at(f"same{i}.png"), self.at(f"other{i}.png")
            self.make("exposure", "--stops", "0.02", golden, other)
            self.make("convert", "--compression", "9", golden, same)
        for i in range(self.o.pairs):
            name = f"{i:04}.png"
            os.link(self.at(f"golden{i % 10}.png"), self.at("golden", name))
            os.link(self.at(f"other{i % 10}.png"), self.at("other", name))
            kind = "other" if i % 10 == 9 else "same"
            os.link(self.at(f"{kind}{i % 10}.png"), self.at("same", name))

    def folders(self):
        self.make_folders()

        def report(*words, to):
            def run():
                shutil.rmtree(self.at("report"), ignore_errors=True)
                self.run([self.o.cuimg, "compare", "-q", "--html", self.at("report"), *words,
                          self.at("golden"), self.at(to)], (0, 1))
            return run

        def loop(command):
            """A process for each pair, as many at a time as there are cores."""
            script = (f"seq -f %04g 0 {self.o.peer_pairs - 1} | "
                      f"xargs -P {CORES} -I NAME sh -c '{command} >{os.devnull} 2>&1; true'")
            script = script.replace("GOLDEN", self.at("golden/NAME.png"))
            return lambda: subprocess.run(script.replace("RESULT", self.at("other/NAME.png")),
                                          shell=True, check=True)

        self.measure(f"{self.o.pairs} pairs of 1080p PNGs", {
            "`cuimg compare`, all differ": self.compare(self.at("golden"), self.at("other")),
            "`cuimg compare --html`, one of ten differs": report(to="same"),
            "`cuimg compare --html`, all differ": report(to="other"),
            "`cuimg compare --html --metric psnr`, all differ": report("--metric", "psnr",
                                                                       to="other"),
        }, runs=min(self.o.runs, 2))
        ways = {}
        if has("idiff"):
            ways["`idiff`"] = loop("idiff GOLDEN RESULT")
        if has("gm"):
            ways["`gm compare -metric MAE`"] = loop("gm compare -metric MAE GOLDEN RESULT")
        if has("compare"):
            ways["ImageMagick's `compare -metric RMSE`"] = loop(
                "compare -metric RMSE GOLDEN RESULT null:")
        if ways:
            self.measure(f"{self.o.peer_pairs} of them by a process each, {CORES} at a time", ways,
                         runs=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuimg", default="build/bin/cuimg")
    parser.add_argument("--decode-files", default="build/bin/decode_files")
    parser.add_argument("--folder", default="/dev/shm")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--peer-pairs", type=int, default=200)
    parser.add_argument("--only", default="", help="of: values, flip, folders")
    parser.add_argument("--flip-python", default=sys.executable)
    options = parser.parse_args()
    options.peer_pairs = min(options.pairs, options.peer_pairs)
    print(f"{datetime.date.today()}, {CORES} cores, load {os.getloadavg()[0]:.1f} at the start, "
          f"the least of {options.runs} runs")
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        options.folder = name
        bench = Bench(options)
        if options.only in ("", "values", "flip"):
            bench.make_4k()
        if options.only in ("", "values"):
            bench.one_pass()
        if options.only in ("", "flip"):
            bench.flip()
        if options.only in ("", "folders"):
            bench.folders()
    print(f"\nload {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
