// SPDX-License-Identifier: Apache-2.0
// The weights of a linear filter have 8 bits of fraction (9 bits including 1.0), regardless of the
// texels' precision. Between 0.1 and 0.2, the value at a quarter is exact and the value at a tenth
// is not.
#include <cmath>

#include "common/sample.h"
#include "texture/microscope.h"

using namespace cuimg;
using namespace cuimg::samples;

void add_row(Table& table, const Reading& reading, float expected) {
  const double difference = std::fabs(static_cast<double>(reading.value) - expected);
  table.row({Cell(reading.x), Cell(reading.value), hex(reading.value), hex(expected),
             Cell(difference, text("%.6E", difference))});
}

int main(int argc, char** argv) {
  int sweep = 100000;
  Sample program("texture/tex1d_9bit", "a linear filter's weights have 8 bits of fraction",
                 Runs::on_card_or_cpu);
  program.option("sweep", sweep, "coordinates that the formulas are compared over");
  return program.run(argc, argv, [&](Report& report) {
    std::vector<float> tenths;
    for (int i = 0; i < 10; ++i) tenths.push_back(static_cast<float>(i) / 10.0f);
    Sampler linear;  // unnormalised, clamped
    for (const Range range : {Range{1.5f, 0.25f, 4}, Range{1.5f, 0.1f, 4}}) {
      const std::vector<std::string> columns = {"x", "y", "actual", "expected", "difference"};
      Table all_bits{text("in steps of %g, expected with all bits", range.increment), columns};
      Table eight_bits{"the same, expected with 8 bits of weight", columns};
      const auto readings = read(report.on_card(), tenths, linear, range);
      for (std::size_t i = 0; i < readings.size(); ++i) {
        // The texels are on a straight line, so the interpolated values should be on it too.
        const double step = range.increment / 10;
        add_row(all_bits, readings[i], static_cast<float>(0.1f + static_cast<double>(i) * step));
        const double guide = guide_value(tenths, linear, readings[i].x);
        add_row(eight_bits, readings[i], static_cast<float>(guide));
      }
      report.show(all_bits);
      report.show(eight_bits);
    }

    const Range all{0.5f, 9.0f / static_cast<float>(sweep), sweep};
    const auto readings = read(report.on_card(), tenths, linear, all);
    const auto emulated = read_on_cpu(tenths, linear, all);
    int guide_differs = 0, unit_differs = 0;
    double most = 0;
    bool nearest = true;
    for (std::size_t i = 0; i < readings.size(); ++i) {
      const double exact = guide_value(tenths, linear, readings[i].x);
      const auto guide = static_cast<float>(exact);
      guide_differs += readings[i].value != guide;
      most = std::max(most, std::fabs(double{readings[i].value} - guide));
      nearest = nearest && is_nearest_float(readings[i].value, exact);
      unit_differs += readings[i].value != emulated[i].value;
    }
    report.say(
        text("Of %d reads %d differ from the guide's formula in floats, by %g at most. Where "
             "that formula lies half way between two floats, the unit takes the one farther from "
             "zero, C++ the even one.",
             sweep, guide_differs, most));
    report.check_on_card(unit_differs == 0,
                         "every read equals the software texture unit's, to the bit");
    report.check(nearest, "no float is nearer to the guide's formula than what is read");
    report.headline(
        text("of %d reads %d differ from the software unit, %d from the guide's formula", sweep,
             unit_differs, guide_differs));
  });
}
