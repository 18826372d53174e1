# SPDX-License-Identifier: Apache-2.0
"""The image of a pair in the HTML report: modes, zoom, values, exposure, channels, regions."""
from report_steps import (choose, color_at, open_main, place_of_pixel, point_at, probe, same,
                          set_value, test, text, truth, value, wait_for_pixels)


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
    page.frame()
    after = float(page.js("document.querySelector('#stage').dataset.zoom"))
    same(after, before * 2, "zoom")
    page.mouse("mouseMoved", place[0] + 1, place[1])
    page.frame()
    same(text(page, "#probe-place"), "31, 41")
    page.drag(place, (place[0] + after * 5, place[1]))
    page.mouse("mouseMoved", *place)
    page.frame()
    same(text(page, "#probe-place"), "26, 41", "after a drag of five pixels")
    page.key("0")
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
        page.frame()
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
def a_pair_opens_with_the_layer_that_differs(page, reports):
    page.size(1400, 900)
    page.open(reports / "layers/index.html")
    wait_for_pixels(page)
    same(value(page, "#layer"), "1")
    same(text(page, "#region-text"), "1 region")


@test
def a_result_of_another_place_lies_over_the_golden(page, reports):
    page.size(1400, 900)
    page.open(reports / "places/index.html")
    wait_for_pixels(page)
    same(value(page, "#layer"), "1", "the layer that fails, by its number in the golden")
    same(text(page, "#region-text"), "1 region")
    facts = text(page, "#facts")
    truth("result pixels8 × 8 at 20, 10, " in facts, facts)
    truth("golden pixels8 × 8, " in facts, facts)
    truth("0.25" in text(page, "#metrics tbody td:last-child"), "the layer's own metric")


@test
def a_difference_is_of_the_channels_that_both_have(page, reports):
    page.size(1400, 900)
    page.open(reports / "channels/index.html")
    wait_for_pixels(page)
    same(text(page, "#region-text"), "1 region", "alpha is not white everywhere")
    page.key("5")
    truth("of R, G, B: the golden has no A" in text(page, ".pane-label"),
          text(page, ".pane-label"))
    page.mouse("mouseMoved", 5, 5)
    same(color_at(page, place_of_pixel(page, 1, 1, [0, 0, 8, 8])), [6, 4, 20], "equal there")
    choose(page, "b.png")
    wait_for_pixels(page)
    truth("no such layer" in text(page, ".pane-label"), text(page, ".pane-label"))


@test
def what_was_forgiven_is_blue_and_no_region(page, reports):
    open_main(page, reports)
    page.key("5")
    point_at(page, 51, 35)
    same(probe(page)[2], ["B", "4", "8", "+4"])
    same(probe(page)[5], ["Forgiven", "ignored"])
    page.mouse("mouseMoved", 5, 5)
    same(color_at(page, place_of_pixel(page, 51, 35)), [24, 58, 92])
    label = text(page, ".pane-label")
    truth("0.5" in label and "forgiven" in label, f"its 4 is not the largest: {label}")
    point_at(page, 31, 41)
    same(probe(page)[5], ["Forgiven", "–"])


@test
def jumps_go_from_region_to_region(page, reports):
    open_main(page, reports)
    same(text(page, "#region-text"), "3 regions")
    page.key("n")
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
