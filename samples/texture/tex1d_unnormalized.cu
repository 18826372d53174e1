// SPDX-License-Identifier: Apache-2.0
// The microscope: a small texture whose texels are equal to their indices, read with tex1D along a
// range of coordinates. Texel i covers [i, i + 1). Its centre is i + 0.5, where a linear filter
// returns this texel only.
//
//   texel        0       1       2       3
//   centre   |   o   |   o   |   o   |   o   |
//   x        0  0.5  1  1.5  2  2.5  3  3.5  4
//
// So at x = 1 a linear filter is half way between texels 0 and 1. At x = 0 it would be half way
// between texels -1 and 0, but clamp makes texel -1 the same as texel 0, so it returns 0. Without
// --count the ranges are those of the book, and the printed digits must equal the book's.
#include <algorithm>
#include <numeric>

#include "common/sample.h"
#include "texture/microscope.h"

using namespace cuimg;
using namespace cuimg::samples;

const std::vector<std::pair<std::string, Address>> addresses = {{"clamp", Address::clamp},
                                                                {"border", Address::border},
                                                                {"wrap", Address::wrap},
                                                                {"mirror", Address::mirror}};

// Prints a range, and compares it with the software unit and with the guide's formulas.
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
      as_in_the_guide = as_in_the_guide && is_nearest_float(value, guide_value(texels, sampler, x));
    }
    return readings;
  }

  // @param book the book's values: to two digits, or as bits. @returns whether ours are the same.
  bool show(const std::string& title, const std::vector<float>& texels, const Sampler& sampler,
            const Range& range, const std::string& book = "") {
    Table table{title, {"x", "tex1D", "bits"}};
    std::string values, bits;
    for (const auto& [x, value] : look(texels, sampler, range)) {
      table.row({Cell(x), Cell(value), hex(value)});
      values += (values.empty() ? "" : " ") + table.rows.back()[1].shown;
      bits += (bits.empty() ? "" : " ") + table.rows.back()[2].shown;
    }
    report_.show(table);
    return book == values || book == bits;
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

// Shows what each addressing mode reads beyond the edges: -2 and -1 on the left, 8 and 9 on the
// right.
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
      .option("texels", texels, "in the texture, each its own number; for --count")
      .option("filter", filter, "of the texture", {"point", "linear"})
      .option("address", address, "beyond the edges", {"clamp", "border", "wrap", "mirror"})
      .option("normalized", normalized, "coordinates over [0, 1] instead of [0, texels]");
  return program.run(argc, argv, [&](Report& report) {
    Microscope microscope(report);
    std::vector<float> numbers(count > 0 ? static_cast<std::size_t>(texels) : 8);
    std::iota(numbers.begin(), numbers.end(), 0.0f);
    if (count > 0) {
      Sampler sampler = sampler_of(filter == "linear" ? Filter::linear : Filter::point);
      report.headline(text("%d reads of --texels %d", count, texels));
      for (const auto& [name, mode] : addresses)
        if (name == address) sampler.address[0] = mode;
      sampler.normalized = normalized;
      microscope.show(filter + ", " + address, numbers, sampler,
                      {static_cast<float>(base), static_cast<float>(increment), count});
    } else {
      const Sampler point = sampler_of(Filter::point), linear = sampler_of(Filter::linear);
      std::vector<float> tenths(10);
      for (std::size_t i = 0; i < tenths.size(); ++i) tenths[i] = static_cast<float>(i) / 10.0f;
      const bool as_in_the_book[] = {
          microscope.show("point", numbers, point, {0, 1, 8},
                          "0.00 1.00 2.00 3.00 4.00 5.00 6.00 7.00"),
          microscope.show("linear: half way between two texels", numbers, linear, {0, 1, 8},
                          "0.00 0.50 1.50 2.50 3.50 4.50 5.50 6.50"),
          microscope.show("point, from one texel to the next", numbers, point, {0.9f, 0.01f, 20},
                          "0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 "
                          "1.00 1.00 1.00 1.00 1.00 1.00 1.00 1.00 1.00 1.00"),
          microscope.show("tenths, point", tenths, point, {0, 1, 10},
                          "0.00 0.10 0.20 0.30 0.40 0.50 0.60 0.70 0.80 0.90"),
          microscope.show("tenths, linear: the bits are not those of 0.11, 0.12, ...", tenths,
                          linear, {1.5f, 0.1f, 10},
                          "0x3dcccccd 0x3de1999a 0x3df5999a 0x3e053333 0x3e0f3333 "
                          "0x3e19999a 0x3e240000 0x3e2e0000 0x3e386667 0x3e426667")};
      const auto met = std::ranges::count(as_in_the_book, true);
      const auto all = std::ssize(as_in_the_book);
      report.check(met == all, "the tables are the book's, digit for digit");
      report.headline(text("%td of the book's %td tables, digit for digit", met, all));
      report.show(out_of_range(microscope, numbers, false));
      report.show(out_of_range(microscope, numbers, true));
    }
    report.check_on_card(microscope.as_emulated, "every read equals the software texture unit's");
    report.check(microscope.as_in_the_guide,
                 "every read is what the programming guide's formulas give");
  });
}
