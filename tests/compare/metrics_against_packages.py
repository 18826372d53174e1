#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cuimg compare's metrics against other implementations on ten pairs: PSNR, SSIM and CIEDE2000 of
scikit-image, FLIP and HDR-FLIP of flip-evaluator. Exits with 77, which ctest counts as skipped, where
those packages are absent:

    pip install flip-evaluator scikit-image
    tests/compare/metrics_against_packages.py build/bin/cuimg
"""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import flip_evaluator
    import numpy as np
    from skimage.color import deltaE_ciede2000, rgb2lab
    from skimage.metrics import peak_signal_noise_ratio, structural_similarity
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def scene(height, width, seed):
    """A picture from 0 to 1: waves, a checkerboard, noise."""
    y, x = np.mgrid[0:height, 0:width]
    board = ((x // 16 + y // 16) % 2) * 0.8 + 0.1
    waves = np.stack([0.5 + 0.4 * np.sin(x / 7.0 + seed),
                      0.5 + 0.4 * np.cos(y / 11.0 + x / 23.0), board], -1)
    return np.clip(waves + np.random.default_rng(seed).normal(0, 0.05, waves.shape), 0, 1)


def disturbed(picture, seed):
    """The same with an error, of another kind for each pair."""
    random = np.random.default_rng(100 + seed)
    kinds = [lambda p: p + random.normal(0, 0.03, p.shape), lambda p: np.roll(p, 1, 1),
             lambda p: p ** 1.1, lambda p: p[..., ::-1], lambda p: np.round(p * 15) / 15]
    return np.clip(kinds[seed % len(kinds)](picture), 0, 1)


def write_ppm(path, codes):
    path.write_bytes(b"P6\n%d %d\n255\n" % codes.shape[1::-1] + codes.tobytes())


def write_pfm(path, light):
    rows = np.ascontiguousarray(light[::-1].astype("<f4"))
    path.write_bytes(b"PF\n%d %d\n-1.0\n" % light.shape[1::-1] + rows.tobytes())


def read_pfm(path):
    data = path.read_bytes()
    kind, size, scale, pixels = data.split(b"\n", 3)
    width, height = map(int, size.split())
    order = "<f4" if float(scale) < 0 else ">f4"
    values = np.frombuffer(pixels, order).reshape(height, width, -1 if kind == b"PF" else 1)
    return values[::-1, :, 0]


class Checks:
    def __init__(self):
        self.worst, self.failed = {}, False

    def near(self, what, found, expected, tolerance):
        error = float(np.max(np.abs(np.asarray(found, float) - np.asarray(expected, float))))
        self.worst[what] = max(self.worst.get(what, 0.0), error)
        if not error <= tolerance:
            print(f"{what}: {error} apart, {tolerance} may be")
            self.failed = True


def weighted_percentiles(values):
    ordered = np.sort(values.astype(float).ravel())
    sums = np.cumsum(ordered)
    return [ordered[np.searchsorted(sums, share * sums[-1])] for share in (0.25, 0.5, 0.75)]


def compare(program, folder, golden, result):
    words = [program, "compare", "--json", "--metric", "all", "--flip-map", "map.pfm", golden,
             result]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stdout + done.stderr)
    return json.loads(done.stdout)["metrics"], read_pfm(folder / "map.pfm")


def check_flip(checks, name, found, error_map, golden, result, kind):
    expected, _, _ = flip_evaluator.evaluate(golden.astype(np.float32), result.astype(np.float32),
                                             kind, applyMagma=False)
    expected = expected[..., 0]
    # The mean that it returns is a sum of floats; the map's own is what both mean.
    # Where edges and points of both pictures cancel, floats leave some 1e-9, of which FLIP takes the
    # root: up to 6e-5 in either map, and 6e-6 in the mean of a checkerboard that is shifted by a
    # pixel, of which a quarter cancels. Elsewhere the means of both agree with doubles to 1e-7.
    checks.near(name + " mean", found["mean"], expected.astype(float).mean(), 1e-6)
    checks.near(name + " map", error_map, expected, 5e-5)
    checks.near(name + " minimum, maximum", [found["minimum"], found["maximum"]],
                [expected.min(), expected.max()], 5e-5)
    names = ("first_quartile", "weighted_median", "third_quartile")
    checks.near(name + " percentiles", [found[n] for n in names], weighted_percentiles(expected),
                5e-5)


def main(program):
    checks = Checks()
    options = {"gaussian_weights": True, "sigma": 1.5, "use_sample_covariance": False}
    sizes = [(64, 64), (180, 200), (33, 97), (300, 161), (128, 500), (11, 11), (12, 240),
             (99, 101), (257, 255), (61, 70)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for seed, (height, width) in enumerate(sizes):
            golden = scene(height, width, seed)
            result = disturbed(golden, seed)
            a, b = ((p * 255 + 0.5).astype(np.uint8) for p in (golden, result))
            write_ppm(folder / "a.ppm", a)
            write_ppm(folder / "b.ppm", b)
            found, error_map = compare(program, folder, "a.ppm", "b.ppm")
            checks.near("PSNR", found["psnr"], peak_signal_noise_ratio(a, b, data_range=255), 1e-6)
            light, dark = (p / 255.0 @ LUMINANCE for p in (a, b))
            checks.near("SSIM", found["ssim"],
                        structural_similarity(light, dark, data_range=1, **options), 1e-6)
            for channel, letter in enumerate("RGB"):
                checks.near("SSIM of channels", found["ssim_of_channel"][letter],
                            structural_similarity(a[..., channel], b[..., channel],
                                                  data_range=255, **options), 1e-6)
            # Their white is rounded to four digits.
            difference = deltaE_ciede2000(rgb2lab(a), rgb2lab(b))
            checks.near("CIEDE2000", found["delta_e_2000"]["mean"], difference.mean(), 5e-3)
            check_flip(checks, "FLIP", found["flip"], error_map, a / 255.0, b / 255.0, "LDR")

            a, b = ((8 * p) ** 2 / 4 for p in (golden, result))
            write_pfm(folder / "a.pfm", a)
            write_pfm(folder / "b.pfm", b)
            found, error_map = compare(program, folder, "a.pfm", "b.pfm")
            check_flip(checks, "HDR-FLIP", found["hdr_flip"], error_map, a, b, "HDR")
    for what, error in checks.worst.items():
        print(f"{what:28} at most {error:.2e} apart")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve())))
