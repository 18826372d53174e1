// SPDX-License-Identifier: Apache-2.0
// Reads colour decisions strictly: ignoring an unknown element could give a wrong picture.
#include "stages/color/cdl_file.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/bytes.h"
#include "base/contains.h"
#include "base/error.h"
#include "base/message_text.h"
#include "base/number_text.h"
#include "base/split_text.h"
#include "io/byte_source.h"
#include "text/xml.h"

namespace cuimg {
namespace {

constexpr std::size_t most_bytes = std::size_t{16} << 20;

class GradeReader {
 public:
  explicit GradeReader(std::string place) : place_(std::move(place)) {}

  Grade read(const XmlElement& root, const std::string& id) {
    collect(root);
    if (found_.empty())
      throw Error(place_, "it has no ColorCorrection", "give a .cc, .cdl or .ccc file");
    if (id.empty() && found_.size() > 1)
      throw Error(place_, "it has " + std::to_string(found_.size()) + " corrections",
                  "name one with --id: " + ids());
    const XmlElement* chosen = id.empty() ? found_.front() : nullptr;
    for (const XmlElement* one : found_) {
      if (id.empty() || one->attribute("id") != id) continue;
      if (chosen != nullptr) fail(*one, "the id " + id + " is given twice");
      chosen = one;
    }
    if (chosen == nullptr) throw Error(place_, "it has no correction --id " + id, "use " + ids());
    return grade_of(*chosen);
  }

 private:
  [[noreturn]] void fail(const XmlElement& at, const std::string& problem,
                         const std::string& advice = "") const {
    throw Error(place_ + ": line " + std::to_string(at.line), problem, advice);
  }
  [[noreturn]] void fail_unknown(const XmlElement& at, const XmlElement& in) const {
    fail(at, "<" + at.name + "> is nothing that <" + in.name + "> has");
  }

  static bool describes(const XmlElement& element) {
    constexpr std::string_view known[] = {"Description", "InputDescription", "ViewingDescription"};
    return contains(known, element.name);
  }

  void collect(const XmlElement& root) {
    if (root.name == "ColorCorrection") return found_.push_back(&root);
    if (root.name != "ColorDecisionList" && root.name != "ColorCorrectionCollection")
      fail(root, "<" + root.name + "> is no element of the ASC's files",
           "give a .cc, .cdl or .ccc file");
    const bool is_list = root.name == "ColorDecisionList";
    for (const XmlElement& child : root.children) {
      if (describes(child)) continue;
      if (is_list && child.name == "ColorDecision")
        collect_decision(child);
      else if (!is_list && child.name == "ColorCorrection")
        found_.push_back(&child);
      else
        fail_unknown(child, root);
    }
  }
  void collect_decision(const XmlElement& decision) {
    for (const XmlElement& child : decision.children) {
      if (describes(child) || child.name == "MediaRef") continue;
      if (child.name == "ColorCorrectionRef")
        fail(child, "a ColorCorrectionRef names a correction of another file",
             "give the .ccc file that it names, and --id");
      if (child.name != "ColorCorrection") fail_unknown(child, decision);
      found_.push_back(&child);
    }
  }

  // For an error's advice: the ids in the file, or some of them if there are many.
  std::string ids() const {
    constexpr std::size_t most = 8;
    std::string list;
    for (std::size_t i = 0; i < std::min(found_.size(), most); ++i) {
      const auto id = found_[i]->attribute("id");
      list += (list.empty() ? "" : ", ") + (id ? std::string(*id) : "(one without an id)");
    }
    return list + (found_.size() > most ? ", ..." : "");
  }

  Grade grade_of(const XmlElement& correction) const {
    Grade grade;
    bool has_power = false, has_saturation = false;
    for (const XmlElement& child : correction.children) {
      if (describes(child)) continue;
      // Version 1.01 used the name SATNode.
      const bool is_saturation = child.name == "SatNode" || child.name == "SATNode";
      if (!is_saturation && child.name != "SOPNode") fail_unknown(child, correction);
      if (std::exchange(is_saturation ? has_saturation : has_power, true))
        fail(child, "<" + child.name + "> is there twice");
      if (is_saturation)
        grade.saturation = numbers(child, {"Saturation"}, 1)[0][0];
      else
        set_power(grade, child);
    }
    if (!has_power && !has_saturation) fail(correction, "it has neither SOPNode nor SatNode");
    return grade;
  }
  void set_power(Grade& grade, const XmlElement& node) const {
    const auto values = numbers(node, {"Slope", "Offset", "Power"}, 3);
    grade.slope = values[0], grade.offset = values[1], grade.power = values[2];
  }

  // Reads that many numbers from each element with one of those names. `node` must have all of
  // them.
  std::vector<std::vector<float>> numbers(const XmlElement& node,
                                          const std::vector<std::string_view>& names,
                                          std::size_t count) const {
    std::vector<std::vector<float>> values(names.size());
    for (const XmlElement& child : node.children) {
      if (describes(child)) continue;
      const auto at = std::ranges::find(names, child.name);
      if (at == names.end()) fail_unknown(child, node);
      std::vector<float>& of = values[static_cast<std::size_t>(at - names.begin())];
      if (!of.empty()) fail(child, "<" + child.name + "> is there twice");
      of = numbers_of(child, count);
    }
    for (std::size_t i = 0; i < names.size(); ++i)
      if (values[i].empty())
        fail(node, "<" + node.name + "> lacks <" + std::string(names[i]) + ">");
    return values;
  }
  std::vector<float> numbers_of(const XmlElement& element, std::size_t count) const {
    if (!element.children.empty()) fail_unknown(element.children.front(), element);
    std::vector<float> values;
    for (const std::string_view word : split_words(element.text)) {
      const auto number = number_of<float>(word.substr(word.starts_with('+') ? 1 : 0));
      if (!number || !std::isfinite(*number))
        fail(element, "<" + element.name + ">: '" + std::string(word) + "' is not a number");
      values.push_back(*number);
    }
    if (values.size() != count)
      fail(element, "<" + element.name + "> has " + counted(std::ssize(values), "number"),
           "give " + std::to_string(count));
    return values;
  }

  const std::string place_;
  std::vector<const XmlElement*> found_;
};

}  // namespace

Grade read_grade(const std::string& path, const std::string& id) {
  const auto source = ByteSource::open_text(path);
  const std::string place = "cdl: --file " + path;
  if (source->bytes().size() > most_bytes)
    throw Error(place, "it is larger than 16 MiB", "give a .cc, .cdl or .ccc file");
  Grade grade;
  source->read_whole([&] {
    const XmlElement root = read_xml(text_of_bytes(source->bytes()), place);
    grade = GradeReader(place).read(root, id);
  });
  return grade;
}

}  // namespace cuimg
