#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The HTML report in headless Chromium: what people do with it, with their mouse and keys.

report_browser.py FOLDER [SCREENSHOTS]: reads the reports that report_in_browser_test.cpp wrote to
FOLDER. Exit 77: there is no Chromium. With a second folder, screenshots are left there.
"""
import json
import pathlib
import sys
import time

import report_chromium

TESTS = []


def test(function):
    TESTS.append(function)
    return function


def same(found, wanted, what=""):
    if found != wanted:
        raise AssertionError(f"{what}: {found!r} instead of {wanted!r}")


def truth(condition, what):
    if not condition:
        raise AssertionError(what)


def text(page, selector):
    return page.js(f"document.querySelector({json.dumps(selector)}).textContent.trim()")


def value(page, selector):
    return page.js(f"document.querySelector({json.dumps(selector)}).value")


def set_value(page, selector, to, event="input"):
    page.js(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); "
            f"e.value = {json.dumps(to)}; e.dispatchEvent(new Event('{event}')); }})()")


def names_of_rows(page):
    return page.js("[...document.querySelectorAll('.row')].sort((a, b) => "
                   "parseFloat(a.style.top) - parseFloat(b.style.top))"
                   ".map(row => row.querySelector('.pair').title)")


def frame(page):
    """Until the page has drawn what was asked for."""
    page.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def choose(page, name):
    page.js("document.querySelector('#list').scrollTop = 0")
    frame(page)
    page.js("[...document.querySelectorAll('.pair')].find(b => b.title === %s).click()"
            % json.dumps(name))
    frame(page)


def wait_for_pixels(page):
    page.wait("document.querySelector('#stage').dataset.ready !== undefined", "pixels")
    frame(page)


def open_main(page, reports, name="scenes/hdr.exr", **size):
    page.size(**{"width": 1400, "height": 900, **size})
    page.open(reports / "main/index.html")
    choose(page, name)
    wait_for_pixels(page)


def place_of_pixel(page, x, y, bounds=None):
    """Where the middle of an image's pixel is on the screen, in the first pane."""
    frame(page)
    return page.js(f"""(() => {{
        const box = document.querySelector('#stage').getBoundingClientRect();
        const [left, top, width, height] = {json.dumps(bounds or BOUNDS)};
        const zoom = Number(document.querySelector('#stage').dataset.zoom);
        const x = box.x + box.width / 2 + ({x} + 0.5 - left - width / 2) * zoom;
        const y = box.y + box.height / 2 + ({y} + 0.5 - top - height / 2) * zoom;
        return [x, y]; }})()""")


# The data window of scenes/hdr.exr, which the page fits to the stage.
BOUNDS = [10, 20, 64, 48]


def color_at(page, place):
    """The canvas' colour at a point of the screen."""
    frame(page)
    return page.js(f"""(() => {{
        const canvas = document.querySelector('#canvas'), box = canvas.getBoundingClientRect();
        const x = Math.round({place[0]} - box.x), y = Math.round({place[1]} - box.y);
        const copy = new OffscreenCanvas(1, 1).getContext('2d', {{willReadFrequently: true}});
        copy.drawImage(canvas, x, y, 1, 1, 0, 0, 1, 1);
        return [...copy.getImageData(0, 0, 1, 1).data].slice(0, 3); }})()""")


def probe(page):
    return page.js("""[...document.querySelectorAll('#probe tbody tr')].map(
        row => [...row.children].map(cell => cell.textContent))""")


def point_at(page, x, y, bounds=None):
    page.mouse("mouseMoved", *place_of_pixel(page, x, y, bounds))
    frame(page)


@test
def it_loads_with_failed_pairs_first(page, reports):
    page.size(1400, 900)
    page.open(reports / "main/index.html")
    rows = names_of_rows(page)
    same(sorted(rows[:3]), sorted(["flat/eight.png", "scenes/hdr.exr", HOSTILE]), "first rows")
    same(rows[3:7], ["broken/cut.exr", "gone.exr", "new/extra.exr", "warned/near.exr"],
         "next rows")
    same(text(page, "#summary"), "6 of 27 images failed")
    same(page.js("document.querySelectorAll('.row img').length > 0"), True, "thumbnails")


@test
def filters_and_search_choose_rows(page, reports):
    page.size(1400, 900)
    page.open(reports / "main/index.html")
    page.click("[data-status=missing]")
    same(names_of_rows(page), ["gone.exr", "new/extra.exr"], "missing")
    page.click("[data-status=warned]")
    same(len(names_of_rows(page)), 3, "missing or warned")
    page.click("[data-status=missing]")
    page.click("[data-status=warned]")
    same(len(names_of_rows(page)) > 10, True, "all again")
    page.key("/")
    page.type("HDR scenes")
    frame(page)
    same(names_of_rows(page), ["scenes/hdr.exr"], "every word, whatever the case")
    page.type("nothing like that")
    frame(page)
    same(names_of_rows(page), [])
    same(page.js("document.querySelector('.empty').hidden"), False, "a word when nothing matches")


@test
def a_known_pixel_reads_as_it_is_stored(page, reports):
    open_main(page, reports)
    point_at(page, 12, 25)
    same(text(page, "#probe-place"), "12, 25")
    rows = probe(page)
    same(rows[0], ["R", "0.25", "0.25", "0"])
    same(rows[1], ["G", "1.5", "1.5", "0"])
    same(rows[2], ["B", "4", "4", "0"], "light above white")
    same(rows[3][:3], ["A", "1", "1"])
    point_at(page, 31, 41)
    same(probe(page)[0], ["R", "0.25", "0.75", "+0.5"])
    same(probe(page)[4], ["FLIP", "0.502"])


@test
def nan_and_infinity_are_named_and_marked(page, reports):
    open_main(page, reports)
    page.key("9")
    point_at(page, 12, 22)
    same(probe(page)[0], ["R", "0.25", "NaN", "differs"])
    same(page.js("document.querySelector('#probe td.marked') !== null"), True, "its class")
    page.mouse("mouseMoved", 5, 5)
    truth(color_at(page, place_of_pixel(page, 12, 22)) in ([255, 0, 255], [30, 0, 30]),
          "NaN is magenta chequered")
    point_at(page, 60, 60)
    same(probe(page)[1][2], "+Inf")
    facts = text(page, "#facts")
    truth("NaN in result1 value" in facts and "Inf in result1 value" in facts, facts)


@test
def zoom_keeps_the_pixel_under_the_pointer(page, reports):
    open_main(page, reports)
    place = place_of_pixel(page, 31, 41)
    before = float(page.js("document.querySelector('#stage').dataset.zoom"))
    page.mouse("mouseWheel", *place, deltaX=0, deltaY=-240)
    frame(page)
    after = float(page.js("document.querySelector('#stage').dataset.zoom"))
    same(after, before * 2, "zoom")
    page.mouse("mouseMoved", place[0] + 1, place[1])
    frame(page)
    same(text(page, "#probe-place"), "31, 41")
    page.drag(place, (place[0] + after * 5, place[1]))
    page.mouse("mouseMoved", *place)
    frame(page)
    same(text(page, "#probe-place"), "26, 41", "after a drag of five pixels")
    page.key("0")
    frame(page)
    same(float(page.js("document.querySelector('#stage').dataset.zoom")), before, "fitted again")


@test
def the_slider_uncovers_golden_and_result(page, reports):
    open_main(page, reports)
    place = place_of_pixel(page, 31, 41)
    page.mouse("mouseMoved", 5, 5)
    page.js("document.querySelector('#divider').focus()")
    page.key("Home")
    result = color_at(page, place)
    page.key("End")
    golden = color_at(page, place)
    truth(result[0] > golden[0] + 50, f"{result} and {golden}")
    same(page.js("document.querySelector('#divider').getAttribute('aria-valuenow')"), "100")
    box = page.js("(() => { const r = document.querySelector('#divider').getBoundingClientRect(); "
                  "return [r.x + r.width / 4, r.y + 200]; })()")
    page.drag(box, (box[0] - 300, box[1]))
    frame(page)
    share = int(page.js("document.querySelector('#divider').getAttribute('aria-valuenow')"))
    truth(50 < share < 70, f"the divider is dragged to {share}")


@test
def every_mode_draws_and_has_a_key(page, reports):
    open_main(page, reports)
    seen = {}
    for key, mode in zip("123456789", ["slider", "flicker", "side", "blend", "difference", "flip",
                                       "all", "golden", "result"]):
        page.key(key)
        page.mouse("mouseMoved", 5, 5)
        frame(page)
        same(page.js("document.querySelector('#stage').dataset.mode"), mode)
        same(page.js("document.querySelector('#modes [aria-checked=true]').dataset.mode"), mode)
        seen[mode] = color_at(page, place_of_pixel(page, 31, 41))
    truth(seen["golden"] != seen["result"], "golden and result")
    truth(seen["difference"][0] > 50, f"the difference is bright: {seen['difference']}")
    truth(seen["flip"][0] > 50, f"FLIP's map is bright: {seen['flip']}")
    mean = [(a + b) / 2 for a, b in zip(seen["golden"], seen["result"])]
    truth(all(abs(a - b) <= 2 for a, b in zip(mean, seen["blend"])), f"{mean}, {seen['blend']}")


@test
def flicker_swaps_and_respects_reduced_motion(page, reports):
    open_main(page, reports)
    page.key("2")
    same(text(page, "#flicker-play"), "Pause", "it starts by itself")
    page.wait("document.querySelector('.pane-label').textContent === 'Result'", "the other image")
    page.wait("document.querySelector('.pane-label').textContent === 'Golden'", "and back")
    open_main(page, reports, reduced_motion=True)
    page.key("2")
    same(text(page, "#flicker-play"), "Play", "it waits")
    before = text(page, ".pane-label")
    page.js("document.activeElement.blur()")
    page.key(" ")
    frame(page)
    truth(text(page, ".pane-label") != before, "space swaps")


@test
def exposure_draws_from_the_stored_light(page, reports):
    open_main(page, reports)
    page.key("8")
    place = place_of_pixel(page, 50, 30)
    page.mouse("mouseMoved", 5, 5)
    # 0.25, 1.5, 4 in light.
    same(color_at(page, place), [137, 255, 255])
    set_value(page, "#exposure", -2)
    same(color_at(page, place), [71, 165, 255], "a quarter")
    same(text(page, "#exposure-text"), "-2.00")
    set_value(page, "#exposure", -4)
    same(color_at(page, place), [34, 86, 137], "detail above white appears")
    page.js("document.activeElement.blur()")
    page.key("e")
    same(value(page, "#exposure"), "-3.5")
    page.key("r")
    same(value(page, "#exposure"), "0")


@test
def a_channel_alone_is_grey(page, reports):
    open_main(page, reports)
    page.key("8")
    set_value(page, "#channel", "0", "change")
    page.mouse("mouseMoved", 5, 5)
    same(color_at(page, place_of_pixel(page, 50, 30)), [137, 137, 137])
    page.js("document.activeElement.blur()")
    page.key("c")
    same(color_at(page, place_of_pixel(page, 50, 30)), [255, 255, 255], "green, with the key")


@test
def layers_and_parts_can_be_chosen(page, reports):
    open_main(page, reports)
    same(page.js("[...document.querySelector('#layer').options].map(o => o.textContent)"),
         ["main (RGBA)", "depth (Z)", "second (Y)"])
    set_value(page, "#layer", 1, "change")
    wait_for_pixels(page)
    point_at(page, 12, 25)
    same(probe(page)[0][:3], ["depth.Z", "125", "125"])
    same(page.js("document.querySelector('#fit-range').checked"), True, "depth is fitted")
    page.key("l")
    wait_for_pixels(page)
    same(text(page, "#facts").count("u16"), 2, "the second part")


@test
def jumps_go_from_region_to_region(page, reports):
    open_main(page, reports)
    same(text(page, "#region-text"), "3 regions")
    page.key("n")
    frame(page)
    same(text(page, "#region-text"), "1 of 3 · 1 px")
    same(text(page, "#probe-place"), "12, 22")
    page.key("n")
    same(text(page, "#region-text"), "2 of 3 · 16 px")
    same(text(page, "#probe-place"), "30, 40")
    page.key("n")
    page.key("n")
    same(text(page, "#region-text"), "1 of 3 · 1 px", "round again")
    page.key("p")
    same(text(page, "#probe-place"), "60, 60")
    truth(float(page.js("document.querySelector('#stage').dataset.zoom")) > 8, "zoomed in")


@test
def arrows_move_the_pixel_and_are_spoken(page, reports):
    open_main(page, reports)
    page.js("document.querySelector('#stage').focus()")
    point_at(page, 12, 25)
    page.key("ArrowRight")
    page.key("ArrowDown", shift=True)
    same(text(page, "#probe-place"), "13, 35")
    page.wait("document.querySelector('#spoken').textContent.startsWith('x 13, y 35: R golden')",
              "the live region")


@test
def the_keyboard_alone_is_enough(page, reports):
    page.size(1400, 900)
    page.open(reports / "main/index.html")
    first = page.js("document.querySelector('.row.current .pair').title")
    page.key("j")
    second = page.js("document.querySelector('.row.current .pair').title")
    truth(first != second, "j goes on")
    page.key("k")
    same(page.js("document.querySelector('.row.current .pair').title"), first, "k goes back")
    page.key("?")
    same(page.js("document.querySelector('#help').open"), True, "help")
    same(page.js("document.querySelectorAll('#keys tr').length > 20"), True, "its rows")
    page.key("j")
    same(page.js("document.querySelector('.row.current .pair').title"), first, "keys wait")
    page.js("document.querySelector('#help').close()")
    theme = page.js("document.documentElement.dataset.theme")
    page.key("t")
    truth(page.js("document.documentElement.dataset.theme") != theme, "the theme changes")
    page.key("a")
    same(page.js("document.querySelector('#accept').checked"), True, "accepted")


@test
def accepted_results_give_a_command(page, reports):
    page.size(1400, 900)
    page.open(reports / "main/index.html")
    for name in ["scenes/hdr.exr", HOSTILE, "new/extra.exr"]:
        choose(page, name)
        page.click("#accept")
    choose(page, "broken/cut.exr")
    same(page.js("document.querySelector('#accept').disabled"), True, "an unreadable result")
    choose(page, "gone.exr")
    same(page.js("document.querySelector('#accept').disabled"), True, "no result")
    same(text(page, "#accept-count"), "3 accepted")
    page.click("#accept-copy")
    page.wait("document.querySelector('#command-note').textContent !== ''")
    lines = value(page, "#command-text").split("\n")
    same(lines[0], "cuimg compare --update --yes goldens/scenes/hdr.exr out/scenes/hdr.exr")
    same(lines[1], "cuimg compare --update --yes "
         r"$'goldens/</script><img src=x onerror=\'document.title=1\'>\u000a&\"\u202e.png' "
         r"$'out/</script><img src=x onerror=\'document.title=1\'>\u000a&\"\u202e.png'"
         .replace('\\"', '"').replace("\\u202e", "\u202e"))
    same(lines[2], "cuimg compare --update --yes goldens/new/extra.exr out/new/extra.exr")
    page.js("document.querySelector('#command').close()")
    page.click("#accept-clear")
    same(text(page, "#accept-count"), "Nothing accepted")


@test
def a_hostile_name_is_text(page, reports):
    open_main(page, reports, HOSTILE)
    same(page.js("document.querySelector('#name bdi').textContent"), HOSTILE)
    same(page.js("document.querySelectorAll('img[src=x]').length"), 0, "elements from the name")
    truth(page.js("document.title") != "1", "scripts from the name")


@test
def what_has_no_pixels_says_so(page, reports):
    page.size(1400, 900)
    page.open(reports / "main/index.html")
    choose(page, "broken/cut.exr")
    same(text(page, "#message"), "This report holds no pixels of the pair.")
    same(text(page, "#reasons"), "the file ends after 1200 bytes")
    choose(page, "new/extra.exr")
    wait_for_pixels(page)
    point_at(page, 3, 3, [0, 0, 33, 17])
    same(probe(page)[0][1], "no image", "a golden that is not there")
    page.key("/")
    page.type("passed/p07")
    frame(page)
    page.js("document.querySelector('.pair').click()")
    frame(page)
    same(text(page, "#message"), "Passed: no pixels are kept.")
    same(page.js("document.querySelector('#message img') !== null"), True, "its thumbnail")


@test
def scripts_that_are_lost_or_of_another_run_are_named(page, reports):
    page.size(1400, 900)
    page.open(reports / "stale/index.html")
    choose(page, "lost.exr")
    page.wait("document.querySelector('#message').textContent.includes('is not there')")
    choose(page, "other.exr")
    page.wait("document.querySelector('#message').textContent.includes('another run')")
    # The browser itself reports the file that it did not find.
    page.problems = [p for p in page.problems if "ERR_FILE_NOT_FOUND" not in p]


@test
def metrics_and_reasons_are_listed(page, reports):
    open_main(page, reports)
    metrics = dict(page.js("""[...document.querySelectorAll('#metrics tbody tr')].map(
        row => [row.children[0].textContent, row.children[1].textContent])"""))
    same(list(metrics), ["max_absolute", "rmse", "psnr", "flip.mean", "flip.weighted_median",
                         "pixels_differing", "first", "worst"], "in the usual order")
    same(metrics["psnr"], "41.25")
    same(metrics["first"], "12, 22 R 0.25 → nan")
    same(metrics["worst"], "31, 41 R 0.25 → 0.75")
    rmse = ("[...document.querySelectorAll('#metrics tbody tr')].find("
            "row => row.firstChild.textContent === 'rmse').lastChild.textContent")
    same(page.js(rmse), "0.0087", "this layer's own")
    truth("forgiven, ignored3" in text(page, "#facts"), "what was forgiven")
    set_value(page, "#layer", 1, "change")
    wait_for_pixels(page)
    same(page.js(rmse), "0", "the other layer's")
    same(page.js("[...document.querySelectorAll('#reasons li')].map(li => li.textContent)"),
         ["18 pixels differ", "FLIP is above 0.01"])
    page.click("#metrics tr:last-child .place")
    page.wait("document.querySelector('#layer').value === '0'", "the layer of the worst pixel")
    wait_for_pixels(page)
    same(text(page, "#probe-place"), "31, 41", "the worst pixel is shown")


@test
def a_stored_report_makes_a_list_without_pixels(page, reports):
    page.size(1400, 900)
    page.open(reports / "stored/index.html")
    same(text(page, "#summary"), "1 of 2 images failed")
    same(text(page, "#message"), "This report holds no pixels of the pair.")


@test
def an_empty_report_opens(page, reports):
    page.size(1400, 900)
    page.open(reports / "empty/index.html")
    same(text(page, "#message"), "The report has no images.")


@test
def five_hundred_images_open_within_three_seconds(page, reports):
    page.size(1400, 900)
    start = time.monotonic()
    page.open(reports / "many/index.html")
    page.wait("document.querySelectorAll('.row').length > 5", "rows")
    frame(page)
    took = time.monotonic() - start
    inside = page.js("document.documentElement.dataset.loaded")
    print(f"  500 images: {took:.2f} s from navigation to the drawn list, {inside} ms in the page")
    truth(took < 3, f"{took:.2f} s")
    page.js("document.querySelector('#list').scrollTop = 1e6")
    frame(page)
    frame(page)
    same(names_of_rows(page)[-1], "suite/case_499.png", "the last row")
    truth(page.js("document.querySelectorAll('.row').length") < 60, "rows out of sight are none")


@test
def a_narrow_screen_has_two_pages(page, reports):
    page.size(400, 800)
    page.open(reports / "main/index.html")
    shown = "getComputedStyle(document.querySelector('%s')).display !== 'none'"
    same([page.js(shown % "#sidebar"), page.js(shown % "#viewer")], [True, False], "the list")
    choose(page, "scenes/hdr.exr")
    wait_for_pixels(page)
    same([page.js(shown % "#sidebar"), page.js(shown % "#viewer")], [False, True], "the image")
    same(page.js("document.documentElement.scrollWidth"), 400, "nothing is wider than the screen")
    page.click("#back")
    same(page.js(shown % "#sidebar"), True, "back")


@test
def every_control_has_a_name(page, reports):
    open_main(page, reports)
    page.call("Accessibility.enable")
    tree = page.call("Accessibility.getFullAXTree")["nodes"]
    controls = [node for node in tree if not node.get("ignored") and node.get("role", {}).get(
        "value") in ("button", "checkbox", "combobox", "slider", "searchbox", "radio", "textbox")]
    truth(len(controls) > 30, f"{len(controls)} controls")
    for node in controls:
        truth(node.get("name", {}).get("value"), f"a {node['role']['value']} has no name")
    page.call("Accessibility.disable")


HOSTILE = "</script><img src=x onerror='document.title=1'>\n&\"\u202e.png"


def take_screenshots(page, reports, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in ((1400, 900), (400, 800)):
        for dark in (False, True):
            name = f"{width}-{'dark' if dark else 'light'}"
            page.size(width, height, dark)
            page.open(reports / "main/index.html")
            frame(page)
            page.screenshot(folder / f"list-{name}.png")
            choose(page, "scenes/hdr.exr")
            wait_for_pixels(page)
            for key, mode in (("1", "slider"), ("7", "all"), ("5", "difference")):
                page.key(key)
                frame(page)
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
