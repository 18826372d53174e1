// SPDX-License-Identifier: Apache-2.0
// Parsing a command line: splits segments at `+`, binds options, and sorts files into inputs and
// output.
#include "pipeline/grammar.h"

#include <algorithm>
#include <filesystem>

#include "base/bytes.h"
#include "base/contains.h"
#include "base/error.h"
#include "base/message_text.h"
#include "base/utf8.h"
#include "io/byte_source.h"
#include "pipeline/familiar_names.h"
#include "pipeline/parse_options.h"
#include "pipeline/recipe.h"
#include "pipeline/segments.h"

namespace cuimg {
namespace {

using Words = std::vector<std::string>;

const StageDescription* stage_named(const std::string& name,
                                    std::span<const StageDescription* const> table) {
  const auto found =
      std::ranges::find_if(table, [&](const StageDescription* s) { return s->name == name; });
  if (found != table.end()) return *found;
  Words names;
  for (const PlainSegment& segment : plain_segments()) names.push_back(segment.description().name);
  for (const StageDescription* stage : table) names.push_back(stage->name);
  throw Error(printable(name), "unknown stage",
              advice_on_name(name, names, "see cuimg --help for all of them"));
}

// Parses one stage's words; returns the files among them.
Words parse_stage(std::span<const std::string> words, bool only,
                  std::span<const StageDescription* const> table, Invocation& invocation) {
  const std::string& name = words.front();
  std::vector<OptionTarget> targets;
  BoundStage bound;
  std::shared_ptr<void> values;
  if (name != convert_command().name) {
    if (name.starts_with('-'))
      throw Error(name, "it is an option, but a stage is expected here",
                  did_you_mean(name, std::vector<std::string>{"--help", "--version"},
                               "options follow the stage's name"));
    bound.description = stage_named(name, table);
    values = bound.description->make();
    targets.push_back({bound.description, values.get()});
  } else if (!only) {
    throw Error(name, "it is only a pipeline without other stages", "leave it out of the chain");
  }
  targets.push_back({&common_options(), &invocation.common});
  Words files = parse_options(name, targets, words.subspan(1));
  if (bound.description != nullptr) {
    bound.parameters = std::move(values);
    invocation.stages.push_back(std::move(bound));
  }
  return files;
}

// The OUT of a tee, from -o or from the first of its files, which is removed from `files`.
std::string take_output(const std::string& option, Words& files) {
  if (!option.empty()) return option;
  if (files.empty()) throw Error(tee_segment().name, "no OUT", "name the file, folder or pattern");
  std::string output = files.front();
  files.erase(files.begin());
  if (output.empty()) throw Error(tee_segment().name, "a file's name is empty");
  return output;
}

Error tee_behind_sink() {
  return {tee_segment().name, "the stage before it gives no image", "put it before that"};
}

// A tee at the end of the chain gives the chain's OUTPUT; returns the inputs. If there is another
// output, the tee's OUT counts as an input.
Words parse_last_tee(std::span<const std::string> words, Invocation& invocation) {
  if (sink_of(invocation.stages) != nullptr) throw tee_behind_sink();
  const OptionTarget target{&common_options(), &invocation.common};
  Words files = parse_options(words.front(), {&target, 1}, words.subspan(1));
  const std::string& other = invocation.common.output;
  if (invocation.common.in_place || !other.empty())
    throw Error(words.front(),
                (other.empty() ? "--in-place" : "-o " + other) +
                    " is given, and at the end of a chain OUT is the output",
                other.empty() ? "leave out one of them"
                              : "leave out one of them, or end the chain with + tee " + other);
  invocation.common.output = take_output("", files);
  return files;
}

// Output options that are the whole command's, whatever segment contains them.
bool is_of_every_output(const Parameter& option) {
  return option.name == "in-place" || option.name == "no-clobber";
}

// Parses a tee before other stages, which has its own output options.
void parse_tee(std::span<const std::string> words, Invocation& invocation) {
  Tee tee{invocation.stages.size(), {}};
  OptionTarget own{&common_options(), &tee.common, Words{}};
  OptionTarget others{&common_options(), &invocation.common, Words{}};
  for (const Parameter& parameter : common_options().parameters)
    (is_of_output(parameter) && !is_of_every_output(parameter) ? own : others)
        .only->push_back(parameter.name);
  const OptionTarget targets[] = {own, others};
  Words files = parse_options(words.front(), targets, words.subspan(1));
  tee.common.output = take_output(tee.common.output, files);
  if (!files.empty())
    throw Error(words.front(), files.front() + " is a second file before +",
                "a tee has one OUT; inputs follow the last stage");
  invocation.tees.push_back(std::move(tee));
}

// Parses a segment's words; returns those of its files that belong to the chain.
Words parse_segment(std::span<const std::string> words, bool first, bool last,
                    std::span<const StageDescription* const> table, Invocation& invocation) {
  if (words.empty()) throw Error("+", "a stage is missing before or after it");
  if (words.front() != tee_segment().name)
    return parse_stage(words, first && last, table, invocation);
  if (last) return parse_last_tee(words, invocation);
  parse_tee(words, invocation);
  return {};
}

// Options that a tee does not set come from the chain, whatever segment contains them.
void complete_tees(Invocation& invocation) {
  for (Tee& tee : invocation.tees) {
    const CommonOptions own = std::move(tee.common);
    tee.common = invocation.common;
    for (const Parameter& parameter : common_options().parameters)
      if (is_of_output(parameter) && !is_of_every_output(parameter))
        parameter.copy(&own, &tee.common);
  }
}

// For other common options the last one applies. If these were given twice, they would look as if
// they belonged to their segments.
template <class T>
void check_one_choice(const char* option, const T& before, const T& none, const T& now) {
  if (before != none && before != now)
    throw Error(option,
                format_value(before) + " and " + format_value(now) + " are given in two segments",
                "the whole chain uses one value: run two commands");
}

void check_order(const Invocation& invocation) {
  const std::vector<BoundStage>& chain = invocation.stages;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const std::string& name = chain[i].description->name;
    const Kind kind = chain[i].kind();
    if (i > 0 && (kind == Kind::source || kind == Kind::reducer))
      throw Error(name, "it takes no image from the stage before it", "make it the first stage");
    if (i + 1 < chain.size() && kind == Kind::sink)
      throw Error(name, "it gives no image to the stage after it", "make it the last stage");
  }
  if (sink_of(chain) != nullptr && !invocation.tees.empty() &&
      invocation.tees.back().stages == chain.size())
    throw tee_behind_sink();
  if (!chain.empty() && (!takes_input(chain) || reduces(chain)) && !invocation.tees.empty() &&
      invocation.tees.front().stages == 0)
    throw Error(chain.front().description->name, "it takes no image from the stage before it",
                "make it the first stage");
}

// For --in-place: files are inputs, each its own output.
void check_in_place(const std::string& place, const Words& files, const Invocation& invocation) {
  const CommonOptions& common = invocation.common;
  const std::string option = "--in-place";
  if (sink_of(invocation.stages) != nullptr)
    throw Error(place, option + " is given", "this stage writes no image");
  if (!takes_input(invocation.stages))
    throw Error(place, option + " is given", "this chain has no INPUT to replace");
  if (reduces(invocation.stages))
    throw Error(place, option + " is given", "all inputs become one image: name it with -o");
  for (const auto& [given, other] : {std::pair{!common.output.empty(), "-o"},
                                     {!common.format.empty(), "--format"},
                                     {common.no_clobber, "--no-clobber"},
                                     {common.skip_existing, "--skip-existing"}})
    if (given)
      throw Error(place, option + " and " + other + " are given",
                  "--in-place replaces the inputs themselves");
  if (contains(files, "-"))
    throw Error(place, "- cannot be replaced", "name files, or leave out " + option);
}

// A chain without an image cannot use options that say how it is written. --quality is refused with
// the outputs' formats, and --no-clobber may be meant for a tee.
void check_no_output_options(const std::string& place, const CommonOptions& common) {
  for (const char* name : {"format", "type", "compression", "background", "metadata", "set"}) {
    const Parameter& option = *common_options().find(name);
    if (!option.is_default(&common))
      throw Error(place, "--" + option.name + " is given", "this stage writes no image");
  }
}

// Standard input can be read once: as an input, as the list of inputs, or as the file of a stage's
// option.
void check_standard_input(const std::string& place, const Words& inputs,
                          const Invocation& invocation) {
  auto readers = std::ranges::count(inputs, "-");
  if (invocation.common.files_from == "-") ++readers;
  readers += std::ranges::count(files_of(invocation.stages), "-", &FileOfStage::path);
  if (readers > 1) throw Error(place, "- is named twice", "standard input can be read only once");
}

// A word such as @part.txt that does not begin a segment is a file's name. If only part.txt exists,
// a recipe was meant.
void check_recipes_begin_segments(const std::string& place, const Words& files) {
  std::error_code ignored;
  for (const std::string& file : files)
    if (file.size() > 1 && file.front() == '@' && !std::filesystem::exists(file, ignored) &&
        std::filesystem::is_regular_file(file.substr(1), ignored))
      throw Error(place, file + " follows the stage's name, where recipes are not expanded",
                  "begin the recipe with the stage, and the segment with " + file);
}

// Divides files into inputs and output by what the first stage takes and the last one gives.
void assign_files(Words files, Invocation& invocation) {
  const std::vector<BoundStage>& chain = invocation.stages;
  const std::string place = chain.empty() ? convert_command().name : chain.back().description->name;
  const bool listed = !invocation.common.files_from.empty();
  const bool needs_input = takes_input(chain) && !listed, gives_output = sink_of(chain) == nullptr;

  check_recipes_begin_segments(place, files);
  if (!gives_output) check_no_output_options(place, invocation.common);
  if (invocation.common.in_place) {
    check_in_place(place, files, invocation);
  } else if (!invocation.common.output.empty()) {
    if (!gives_output) throw Error(place, "-o is given", "this stage writes no image");
    invocation.output = invocation.common.output;
    invocation.output_by_option = true;
  } else if (reduces(chain)) {
    throw Error(place, "no OUTPUT", "all files are inputs: name it with -o");
  } else if (gives_output) {
    if (files.size() < (needs_input ? 2u : 1u))
      throw Error(place, files.empty() && needs_input ? "no INPUT and no OUTPUT" : "no OUTPUT",
                  "name it last, or with -o");
    invocation.output = files.back();
    files.pop_back();
    if (files.size() > (listed ? 0u : 1u) && takes_input(chain))
      throw Error(place,
                  std::to_string(files.size() + 1) + " files are named, the first " + files.front(),
                  "give INPUT OUTPUT, or several inputs and -o DIR/");
  }
  if (!takes_input(chain) && (!files.empty() || listed))
    throw Error(place, (listed ? "--files-from" : files.front()) + " is left over",
                "this chain takes no INPUT");
  check_standard_input(place, files, invocation);  // before the list is read from it
  add_listed_files(invocation.common, files);
  if (takes_input(chain) && files.empty())
    throw Error(place, "no INPUT", listed ? "the list is empty" : "name a file, or - for a pipe");
  const bool empty_name =
      std::ranges::any_of(files, [](const std::string& f) { return f.empty(); }) ||
      (invocation.output && invocation.output->empty());
  if (empty_name) throw Error(place, "a file's name is empty");
  check_standard_input(place, files, invocation);
  invocation.inputs = std::move(files);
}

}  // namespace

void add_listed_files(const CommonOptions& common, Words& inputs) {
  if (common.files_from.empty()) return;
  const std::shared_ptr<const ByteSource> source = ByteSource::open_text(common.files_from);
  std::string_view rest = without_byte_order_mark(text_of_bytes(source->bytes()));
  const char end = common.null ? '\0' : '\n';
  while (!rest.empty()) {
    const std::size_t length = std::min(rest.find(end), rest.size());
    std::string_view name = rest.substr(0, length);
    rest.remove_prefix(std::min(length + 1, rest.size()));
    if (!common.null && name.ends_with('\r')) name.remove_suffix(1);
    if (name.find('\0') != std::string_view::npos)
      throw Error(source->name(), "a name contains a NUL", "give -0 if each name ends with a NUL");
    if (!name.empty()) inputs.emplace_back(name);
  }
}

std::string chain_words(Chain chain, bool all) {
  std::string result;
  for (const BoundStage& stage : chain) add_item(result, stage.words(all), " + ");
  return result.empty() ? convert_command().name : result;
}

std::string chain_words(const Invocation& invocation, bool all) {
  std::string result;
  const auto add = [&](const std::string& segment) { add_item(result, segment, " + "); };
  const auto add_tees_at = [&](std::size_t stage) {
    for (const Tee& tee : invocation.tees)
      if (tee.stages == stage) add(tee_segment().name + " " + tee.common.output);
  };
  for (std::size_t i = 0; i < invocation.stages.size(); ++i) {
    add_tees_at(i);
    add(invocation.stages[i].words(all));
  }
  add_tees_at(invocation.stages.size());
  return result.empty() ? convert_command().name : result;
}

Invocation parse_pipeline(std::span<const std::string> words,
                          std::span<const StageDescription* const> table) {
  const auto [before_dashes, after_dashes] = split_at_dashes(words);
  Invocation invocation;
  ExpandedWords expanded = expand_recipes(before_dashes);
  invocation.recipes = std::move(expanded.recipes);

  Words files;
  std::span<const std::string> rest(expanded.words);
  for (bool first = true, last = false; !last; first = false) {
    const auto plus = std::ranges::find(rest, "+");
    last = plus == rest.end();
    const auto count = static_cast<std::size_t>(plus - rest.begin());
    const std::string origin =
        rest.empty() ? "" : expanded.origins[expanded.origins.size() - rest.size()];
    const std::size_t stages_before = invocation.stages.size();
    const CommonOptions before = invocation.common;
    files = naming_recipe(
        origin, [&] { return parse_segment(rest.first(count), first, last, table, invocation); });
    check_one_choice("--layers", before.layers, {}, invocation.common.layers);
    check_one_choice("--part", before.part, {}, invocation.common.part);
    for (std::size_t i = stages_before; i < invocation.stages.size(); ++i)
      invocation.stages[i].recipe = origin;
    if (!last && !files.empty())
      throw Error(rest.front(), files.front() + " is a file before +",
                  "files follow the last stage");
    rest = rest.subspan(std::min(count + 1, rest.size()));
  }
  check_order(invocation);
  check_common(invocation.common);
  complete_tees(invocation);
  files.insert(files.end(), after_dashes.begin(), after_dashes.end());
  assign_files(std::move(files), invocation);
  for (const BoundStage& stage : invocation.stages)
    naming_recipe(stage.recipe, [&] { stage.check(); });
  return invocation;
}

}  // namespace cuimg
