#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The HTML report in headless Chromium: what people do with it, with their mouse and keys.

report_browser.py FOLDER [SCREENSHOTS]: reads the reports that report_in_browser_test.cpp wrote to
FOLDER. Exit 77: there is no Chromium. With a second folder, screenshots are left there.
"""
import pathlib
import sys

import report_chromium
import report_list_checks  # noqa: F401 (its tests register themselves)
import report_pixel_checks  # noqa: F401
from report_steps import TESTS, choose, same, wait_for_pixels


def take_screenshots(page, reports, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in ((1400, 900), (400, 800)):
        for dark in (False, True):
            name = f"{width}-{'dark' if dark else 'light'}"
            page.size(width, height, dark)
            page.open(reports / "main/index.html")
            page.frame()
            page.screenshot(folder / f"list-{name}.png")
            choose(page, "scenes/hdr.exr")
            wait_for_pixels(page)
            for key, mode in (("1", "slider"), ("7", "all"), ("5", "difference")):
                page.key(key)
                page.screenshot(folder / f"{mode}-{name}.png")


def main():
    path = report_chromium.find()
    if path is None:
        print("no Chromium is installed: chromium, chromium-browser or google-chrome")
        return 77
    reports = pathlib.Path(sys.argv[1]).resolve()
    failures = 0
    with report_chromium.Chromium(path) as page:
        for run in TESTS:
            page.problems = []
            try:
                run(page, reports)
                same(page.problems, [], "on the console")
            except (AssertionError, RuntimeError) as error:
                failures += 1
                print(f"FAILED {run.__name__}: {error}")
        if len(sys.argv) > 2:
            take_screenshots(page, reports, pathlib.Path(sys.argv[2]))
    print(f"{len(TESTS) - failures} of {len(TESTS)} passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
