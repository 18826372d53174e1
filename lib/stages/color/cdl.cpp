// SPDX-License-Identifier: Apache-2.0
// CDL: the American Society of Cinematographers' colour decisions, slope, offset, power and
// saturation.
#include "base/error.h"
#include "stages/color/cdl_file.h"
#include "stages/color/line_through.h"
#include "stages/color/powers.h"
#include "stages/color/value_words.h"
#include "stages/description.h"
#include "stages/pass/color_stage.h"
#include "stages/run_cache.h"

namespace cuimg {
namespace {

struct Cdl : Grade {
  bool clamp = true;
  std::string file, id;
};

// A member of the base class as a member of the struct.
template <class T>
T Cdl::*of_grade(T Grade::*member) {
  return static_cast<T Cdl::*>(member);
}

bool is_one_for_all(const std::vector<float>& values) {
  return std::ranges::all_of(values, [&](float v) { return v == values.front(); });
}

bool only(const std::vector<float>& values, float value) {
  return is_one_for_all(values) && values.front() == value;
}

bool changes_nothing(const Grade& grade) {
  return only(grade.slope, 1) && only(grade.offset, 0) && only(grade.power, 1) &&
         grade.saturation == 1;
}

Limit from_0_to_1(std::uint8_t channels) {
  Limit op;
  op.channels = channels;
  return op;
}

// ASC CDL 1.2: slope and offset, clamped to 0 and 1, power, then saturation about the luma by
// Rec.709's weights, clamped again.
ColorChange graded(const Grade& grade, bool clamps, const LayerSpec& layer) {
  const bool keeps_grey =
      is_one_for_all(grade.slope) && is_one_for_all(grade.offset) && is_one_for_all(grade.power);
  ColorChange change = keeps_grey ? ColorChange{} : grey_to_color(layer);
  LayerSpec made = layer;
  if (!change.channels.empty()) made.channels = change.channels;
  const std::uint8_t channels = color_channels(made);
  const auto of = [](const std::vector<float>& values, int c) {
    const auto at = static_cast<std::size_t>(c);
    return static_cast<double>(at < values.size() ? values[at] : values.front());
  };
  if (!only(grade.slope, 1) || !only(grade.offset, 0))
    change.ops.emplace_back(line_of(channels, [&](int c) -> LineThrough {
      return {0, of(grade.slope, c), of(grade.offset, c)};
    }));
  if (clamps) change.ops.emplace_back(from_0_to_1(channels));
  append_powers([&](int c) { return of(grade.power, c); }, channels, change.ops);
  if (grade.saturation != 1 && form_of(made).shape.colors == 3) {
    const float amount = grade.saturation;
    change.ops.emplace_back(Saturate{{0.2126f, 0.7152f, 0.0722f}, {amount, amount, amount}});
    if (clamps) change.ops.emplace_back(from_0_to_1(channels));
  }
  return change;
}

constexpr Range factors = range(0.0, 1e6), powers = range(0.01, 100.0);

// Checks a file's numbers against the same ranges as options.
void check_ranges(const Grade& grade, const std::string& place) {
  const auto check = [&](const char* what, float value, const Range& allowed) {
    const auto v = static_cast<double>(value);
    if (v < allowed.lowest || v > allowed.highest)
      throw Error(place,
                  "the " + std::string(what) + " " + format_value(value) + " is out of range",
                  "use " + allowed.text());
  };
  for (const float v : grade.slope) check("slope", v, factors);
  for (const float v : grade.power) check("power", v, powers);
  check("saturation", grade.saturation, factors);
}

std::shared_ptr<const Grade> read_checked(const Cdl& p) {
  auto grade = std::make_shared<Grade>(read_grade(p.file, p.id));
  check_ranges(*grade, "cdl: --file " + p.file);
  return grade;
}

std::unique_ptr<Operation> cdl(const Cdl& p, const Spec& input, const StageContext& context) {
  Grade grade = p;
  if (!p.file.empty())
    grade = *once_a_run<Grade>(context.run, p.file, p.id + '\n' + p.file,
                               [&] { return read_checked(p); });
  if (!p.clamp && changes_nothing(grade)) return make_unchanged(input);
  return make_color_operation(input, context, Values::encoded, [&](const LayerSpec& layer) {
    return graded(grade, p.clamp, layer);
  });
}

void check(const Cdl& p) {
  for (const auto& [name, values] :
       {std::pair{"slope", &p.slope}, {"offset", &p.offset}, {"power", &p.power}})
    if (values->size() != 1 && values->size() != 3)
      throw Error("cdl",
                  "--" + std::string(name) + " has " + std::to_string(values->size()) + " values",
                  "give one for all colours, or three");
  if (!p.file.empty() && !changes_nothing(p))
    throw Error("cdl", "--file and options with numbers are given", "use one of them");
  if (p.file.empty() && !p.id.empty())
    throw Error("cdl", "--id needs --file", "name the file with that correction");
}

}  // namespace

StageDescription cdl_stage() {
  return describe<Cdl>("cdl", "ASC CDL: slope, offset, power and saturation", Kind::filter)
      .param("slope", of_grade(&Grade::slope), factors, "factor; one for all colours or three")
      .param("offset", of_grade(&Grade::offset), "value added after that")
      .param("power", of_grade(&Grade::power), powers, "exponent; above 1 darkens the picture")
      .param("saturation", of_grade(&Grade::saturation), factors,
             "factor; 0 is grey, 1 changes nothing, above 1 strengthens")
      .param("clamp", &Cdl::clamp, "limit values to 0 to 1 before the power and at the end")
      .param("file", &Cdl::file, file(), "read the numbers from a .cc, .cdl or .ccc file")
      .param("id", &Cdl::id, "which ColorCorrection of the file, if it has several")
      .details(
          "The American Society of Cinematographers' version 1.2: x slope + offset is limited to 0 "
          "to 1 and raised to the power. Then each colour's distance from the luma 0.2126 R + "
          "0.7152 G + 0.0722 B is multiplied by the saturation, and the result is limited to 0 to "
          "1 again. --no-clamp limits nothing; powers are then mirrored below 0. " +
          std::string(least_of_powers) + "\n\n" + std::string(on_file_values) +
          " Most decisions are meant for log values: encode --curve acescct + cdl --file grade.cc "
          "+ decode --curve acescct. Alpha stays. A grey image becomes RGB if the numbers for red, "
          "green and blue differ. A file with elements that the standard does not name is refused.")
      .example("cuimg cdl --slope 1.1,1,0.9 --offset 0.02 --saturation 0.9 in.png out.png")
      .example("cuimg cdl --file grade.ccc --id sh010 log.exr graded.exr")
      .on_color_layers()
      .check(check)
      .prepare(cdl);
}

}  // namespace cuimg
