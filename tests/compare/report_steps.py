# SPDX-License-Identifier: Apache-2.0
"""What the tests of the HTML report do on its page, and how they say what is wrong."""
import json

# Files that report_fixture.cpp wrote.
HOSTILE = "</script><img src=x onerror='document.title=1'>\n&\"\u202e.png"

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
    page.frame()


def names_of_rows(page):
    return page.js("[...document.querySelectorAll('.row')].sort((a, b) => "
                   "parseFloat(a.style.top) - parseFloat(b.style.top))"
                   ".map(row => row.querySelector('.pair').title)")


def choose(page, name):
    page.js("document.querySelector('#list').scrollTop = 0")
    page.frame()
    page.js("[...document.querySelectorAll('.pair')].find(b => b.title === %s).click()"
            % json.dumps(name))
    page.frame()


def wait_for_pixels(page):
    page.wait("document.querySelector('#stage').dataset.ready !== undefined", "pixels")
    page.frame()


def open_main(page, reports, name="scenes/hdr.exr", **size):
    page.size(**{"width": 1400, "height": 900, **size})
    page.open(reports / "main/index.html")
    choose(page, name)
    wait_for_pixels(page)


def place_of_pixel(page, x, y, bounds=None):
    """Where the middle of an image's pixel is on the screen, in the first pane."""
    page.frame()
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
    page.frame()
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
    page.frame()
