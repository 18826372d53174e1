// SPDX-License-Identifier: Apache-2.0
// The microscope: a small texture whose texels are their own numbers, and what tex1D returns along
// a range of coordinates. Texel i covers [i, i + 1); its centre, where a linear filter returns it
// alone, is i + 0.5. Without --count the ranges are those of the book.
#include <numeric>

#include "common/sample.h"
#include "texture/microscope.h"

using namespace cuimg;
using namespace cuimg::samples;

const std::vector<std::pair<std::string, Address>> addresses = {{"clamp", Address::clamp},
                                                                {"border", Address::border},
                                                                {"wrap", Address::wrap},
                                                                {"mirror", Address::mirror}};

// Shows a range, and compares it with the software unit and with the guide's formulas.
class Microscope {
 public:
  explicit Microscope(Report& report) : report_(report) {}

  std::vector<Reading> look(const std::vector<float>& texels, const Sampler& sampler,
                            const Range& range) {
    const auto readings = read(report_.on_card(), texels, sampler, range);
    const auto emulated = read_on_cpu(texels, sampler, range);
    for (std::size_t i = 0; i < readings.size(); ++i) {
      const auto [x, value] = readings[i];
      as_emulated = as_emulated && x == emulated[i].x && value == emulated[i].value;
      // The unit rounds now and then to the float beside.
      const float guide = guide_value(texels, sampler, x);
      as_in_the_guide = as_in_the_guide && std::fabs(value - guide) <= std::fabs(guide) * 0x1p-23f;
    }
    return readings;
  }

  void show(const std::string& title, const std::vector<float>& texels, const Sampler& sampler,
            const Range& range) {
    Table table{title, {"x", "tex1D", "bits"}};
    for (const auto& [x, value] : look(texels, sampler, range))
      table.row({Cell(x), Cell(value), hex(value)});
    report_.show(table);
  }

  bool as_emulated = true, as_in_the_guide = true;

 private:
  Report& report_;
};

Sampler sampler_of(Filter filter, Address address = Address::clamp, bool normalized = false) {
  Sampler sampler;
  sampler.filter = filter;
  sampler.address[0] = address;
  sampler.normalized = normalized;
  return sampler;
}

// What each addressing mode reads beyond the edges: -2 and -1 on the left, 8 and 9 on the right.
Table out_of_range(Microscope& microscope, const std::vector<float>& numbers, bool normalized) {
  const auto size = static_cast<float>(numbers.size());
  Table table{normalized ? "beyond the edges, by normalised coordinates"
                         : "beyond the edges, by texel coordinates: wrap and mirror mean clamp",
              {"texel", "clamp", "border", "wrap", "mirror"}};
  for (float texel : {-2.0f, -1.0f, 0.0f, size - 1, size, size + 1}) {
    const float x = normalized ? (texel + 0.5f) / size : texel + 0.5f;
    std::vector<Cell> row = {Cell(texel, 0)};
    for (const auto& [name, address] : addresses) {
      const Sampler sampler = sampler_of(Filter::point, address, normalized);
      row.push_back(Cell(microscope.look(numbers, sampler, {x, 0, 1}).front().value, 0));
    }
    table.row(std::move(row));
  }
  return table;
}

int main(int argc, char** argv) {
  int texels = 8, count = 0;
  double base = 0, increment = 1;
  std::string filter = "point", address = "clamp";
  bool normalized = false;
  Sample program("texture/tex1d_unnormalized",
                "which texels a coordinate reads, by point and by linear filter",
                Runs::on_card_or_cpu);
  program.option("count", count, "coordinates to look at; 0: the book's ranges", 0)
      .option("base", base, "the first of them")
      .option("increment", increment, "from one to the next")
      .option("texels", texels, "in the texture, each its own number")
      .option("filter", filter, "of the texture", {"point", "linear"})
      .option("address", address, "beyond the edges", {"clamp", "border", "wrap", "mirror"})
      .option("normalized", normalized, "coordinates over [0, 1] instead of [0, texels]");
  return program.run(argc, argv, [&](Report& report) {
    Microscope microscope(report);
    std::vector<float> numbers(static_cast<std::size_t>(texels));
    std::iota(numbers.begin(), numbers.end(), 0.0f);
    if (count > 0) {
      Sampler sampler = sampler_of(filter == "linear" ? Filter::linear : Filter::point);
      for (const auto& [name, mode] : addresses)
        if (name == address) sampler.address[0] = mode;
      sampler.normalized = normalized;
      microscope.show(filter + ", " + address, numbers, sampler,
                      {static_cast<float>(base), static_cast<float>(increment), count});
    } else {
      const Sampler point = sampler_of(Filter::point), linear = sampler_of(Filter::linear);
      std::vector<float> tenths(10);
      for (std::size_t i = 0; i < tenths.size(); ++i) tenths[i] = static_cast<float>(i) / 10.0f;
      microscope.show("point", numbers, point, {0, 1, 8});
      microscope.show("linear: half way between two texels", numbers, linear, {0, 1, 8});
      microscope.show("point, from one texel to the next", numbers, point, {0.9f, 0.01f, 20});
      microscope.show("tenths, point", tenths, point, {0, 1, 10});
      microscope.show("tenths, linear: the bits are not those of 0.11, 0.12, ...", tenths, linear,
                      {1.5f, 0.1f, 10});
      report.show(out_of_range(microscope, numbers, false));
      report.show(out_of_range(microscope, numbers, true));
    }
    report.check_on_card(microscope.as_emulated, "every read equals the software texture unit's");
    report.check(microscope.as_in_the_guide,
                 "every read is what the programming guide's formulas give");
    report.headline("the book's tables, digit for digit");
  });
}
