// SPDX-License-Identifier: Apache-2.0
#include "compare/report/html_report.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <regex>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "compare/compared_content.h"
#include "compare/report/stored_report.h"
#include "compare/report/thumbnail.h"
#include "io/output_file.h"
#include "text/web_text.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

// The page that shows a report, without its data. The viewer's files are embedded in the library.
struct ReportPage {
  std::string before;  ///< The text before the list's data.
  std::string after;
};

constexpr unsigned char page_file[] = {
#include "report_page.inc"
};
constexpr unsigned char style_file[] = {
#include "report_style.inc"
};
constexpr unsigned char scripts_file[] = {
#include "report_scripts.inc"
};

template <std::size_t size>
std::string text_of(const unsigned char (&bytes)[size]) {
  return {reinterpret_cast<const char*>(bytes), size};
}

// Cuts the text at a line, which is removed.
std::string take_until(std::string& text, std::string_view line) {
  const std::size_t at = text.find(line);
  if (at == std::string::npos) throw Error("report", "the page lacks " + std::string(line));
  const std::string before = text.substr(0, at);
  text.erase(0, at + line.size());
  return before;
}

ReportPage report_page() {
  std::string rest = text_of(page_file);
  std::string before = take_until(rest, "@style\n") + text_of(style_file);
  before += take_until(rest, "@data\n");
  std::string after = take_until(rest, "@scripts\n") + text_of(scripts_file);
  return {before, after + rest};
}

// The folder with a report's scripts. They do not replace an earlier report's scripts until the new
// list is complete. Until then the first ones are files without names, of which nothing remains if
// the run is killed; each of those needs a descriptor, so further ones wait in a separate folder.
class ScriptFolder {
 public:
  ScriptFolder(const fs::path& report, std::size_t most_open)
      : pairs_(report / "pairs"), unfinished_(report / "pairs.unfinished"), most_open_(most_open) {
    std::error_code error;
    for (fs::path folder = pairs_; !folder.empty() && !fs::exists(folder, error);
         folder = folder.parent_path())
      made_.push_back(folder);
    fs::remove_all(unfinished_, error);  // left by a run that was killed
    make(pairs_);
  }
  /// Without publish() it removes the files that were written and the folders that were created.
  ~ScriptFolder() {
    std::error_code ignored;
    scripts_.clear();
    fs::remove_all(unfinished_, ignored);
    if (is_published_) return;
    for (const fs::path& folder : made_) fs::remove(folder, ignored);
  }
  ScriptFolder(const ScriptFolder&) = delete;
  ScriptFolder& operator=(const ScriptFolder&) = delete;

  /// May be called from several threads. @param write receives the sink of a script.
  template <class Write>
  void add(const std::string& name, const Write& write) {
    const bool stays_open = take_descriptor();
    if (!stays_open) make(unfinished_);
    auto script =
        std::make_unique<OutputFile>(((stays_open ? pairs_ : unfinished_) / name).string());
    write(script->sink());
    if (!stays_open) {
      script->commit();
      script.reset();
    }
    const std::lock_guard lock(mutex_);
    scripts_[name] = std::move(script);
  }

  /// Moves the scripts to the places to which the list refers.
  void publish() {
    for (const auto& [name, script] : scripts_) {
      std::error_code error;
      if (script)
        script->commit();
      else
        fs::rename(unfinished_ / name, pairs_ / name, error);
      if (error) throw Error(pairs_.string(), "cannot write the folder: " + error.message());
    }
    std::error_code ignored;
    fs::remove_all(unfinished_, ignored);
    is_published_ = true;
  }

  /// Removes the scripts of an earlier report.
  void remove_others() const {
    static const std::regex ours("[0-9]{4,7}(-[0-9]+)?\\.js");
    std::error_code ignored;
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(pairs_, ignored)) {
      const std::string name = entry.path().filename().string();
      if (std::regex_match(name, ours) && !scripts_.contains(name)) old.push_back(entry.path());
    }
    for (const fs::path& path : old) fs::remove(path, ignored);
  }

 private:
  static void make(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
      throw Error(folder.parent_path().string(), "cannot make the folder: " + error.message());
  }
  bool take_descriptor() {
    const std::lock_guard lock(mutex_);
    if (open_ == most_open_) return false;
    ++open_;
    return true;
  }

  const fs::path pairs_, unfinished_;
  const std::size_t most_open_;
  std::vector<fs::path> made_;  ///< The innermost first.
  std::mutex mutex_;            ///< Guards the next two members.
  std::size_t open_ = 0;
  /// Null: the script is in unfinished_.
  std::map<std::string, std::unique_ptr<OutputFile>> scripts_;
  bool is_published_ = false;
};

// The result's layer that is shown with each of the golden's, as they are compared: the one with
// the same channels, or else with the same name; -1 for none.
std::vector<int> counterparts(const Spec& golden, const Spec& result) {
  std::vector<int> found;
  std::vector<bool> is_taken(result.layers.size());
  for (const LayerSpec& layer : golden.layers) {
    found.push_back(counterpart_of(layer, result).value_or(-1));
    if (found.back() >= 0) is_taken[static_cast<std::size_t>(found.back())] = true;
  }
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t k = 0; k < is_taken.size() && found[i] < 0; ++k) {
      const std::string& name = golden.layers[i].name;
      if (is_taken[k] || name.empty() || result.layers[k].name != name) continue;
      found[i] = static_cast<int>(k);
      is_taken[k] = true;
    }
  return found;
}

// Pairs of layers in the golden's order, then the result's other layers.
std::vector<LayerPixels> layers_of(const ReportPart& part) {
  std::vector<LayerPixels> layers;
  std::vector<bool> is_taken(part.result ? part.result->spec().layers.size() : 0);
  std::vector<int> results;
  if (part.golden && part.result) results = counterparts(part.golden->spec(), part.result->spec());
  const auto add_maps = [&](std::size_t i, LayerPixels& layer) {
    if (i >= part.maps.size()) return;
    layer.difference = part.maps[i].difference;
    layer.flip = part.maps[i].flip;
    layer.forgiven = part.maps[i].forgiven;
  };
  const std::size_t goldens = part.golden ? part.golden->spec().layers.size() : 0;
  for (std::size_t i = 0; i < goldens; ++i) {
    LayerPixels layer{part.golden, nullptr, static_cast<int>(i), 0, {}, {}};
    add_maps(i, layer);
    if (i < results.size() && results[i] >= 0) {
      layer.result = part.result;
      layer.result_layer = results[i];
      layer.moved = part.moved;
      is_taken[static_cast<std::size_t>(results[i])] = true;
    }
    layers.push_back(layer);
  }
  for (std::size_t k = 0; k < is_taken.size(); ++k) {
    if (is_taken[k]) continue;
    LayerPixels layer{nullptr, part.result, 0, static_cast<int>(k), {}, {}};
    if (goldens == 0) add_maps(k, layer);
    layers.push_back(layer);
  }
  return layers;
}

const LayerSpec& spec_of(const LayerPixels& pixels) {
  const bool has_golden = pixels.golden != nullptr;
  const Image& image = has_golden ? *pixels.golden : *pixels.result;
  const int layer = has_golden ? pixels.golden_layer : pixels.result_layer;
  return image.spec().layer(layer);
}

bool has_pixels(const LayerPixels& pixels) { return stored_bytes(pixels) > 0; }

std::string thumbnail_of(const ReportPair& pair) {
  for (const ReportPart& part : pair.parts)
    for (const Image* image : {part.result, part.golden})
      if (image != nullptr)
        if (std::string made = thumbnail(*image); !made.empty()) return made;
  return {};
}

}  // namespace

struct HtmlReport::Impl {
  explicit Impl(HtmlReportOptions with)
      : options(std::move(with)),
        scripts(options.folder, options.most_open_scripts),
        index((fs::path(options.folder) / "index.html").string()) {
    const Json command = Json::object({{"update", options.update}, {"golden", options.golden}});
    write(report_page().before + "{\"title\":" + json_for_page(Json(options.title).text()) +
          ",\"command\":" + json_for_page(command.text()) + ",\"pairs\":[");
  }

  void write(std::string_view text) { index.sink().write(std::as_bytes(std::span(text))); }

  /// The list's entry for a layer; also writes its script.
  Json write_layer(const ReportPair& pair, const LayerPixels& pixels, int number) {
    const LayerSpec& spec = spec_of(pixels);
    Json layer = Json::object({{"name", spec.name}, {"channels", spec.channels}});
    if (stored_bytes(pixels) > options.most_layer_bytes) {
      layer.set("omitted", fmt::format("{} MiB of pixels are too many for a browser.",
                                       stored_bytes(pixels) >> 20));
      return layer;
    }
    const std::string file = number == 0 ? fmt::format("{:04}", pair.number)
                                         : fmt::format("{:04}-{}", pair.number, number);
    scripts.add(file + ".js",
                [&](ByteSink& sink) { write_layer_script(file, pair.name, pixels, sink); });
    layer.set("file", file);
    return layer;
  }

  Json write_parts(const ReportPair& pair) {
    Json parts = Json::list();
    int number = 0;
    for (const ReportPart& part : pair.parts) {
      Json layers = Json::list();
      for (const LayerPixels& pixels : layers_of(part))
        if (has_pixels(pixels)) layers.push(write_layer(pair, pixels, number++));
      Json entry = Json::object({{"name", part.name}, {"layers", layers}});
      if (part.number >= 0) entry.set("number", part.number);
      if (!part.level.empty()) entry.set("level", part.level);
      parts.push(entry);
    }
    return parts;
  }

  /// Writes a pair's entry after those of all smaller numbers.
  void add_entry(int number, std::string entry) {
    const std::lock_guard lock(mutex);
    waiting.emplace(number, std::move(entry));
    while (!waiting.empty() && waiting.begin()->first <= next) write_first();
  }

  void write_first() {
    const auto first = waiting.begin();
    write((has_pairs ? ",\n" : "\n") + first->second);
    has_pairs = true;
    next = first->first + 1;
    waiting.erase(first);
  }

  const HtmlReportOptions options;
  ScriptFolder scripts;
  OutputFile index;
  std::mutex mutex;  ///< Guards the following members, and the index.
  bool has_pairs = false;
  int next = 0;
  std::multimap<int, std::string> waiting;  ///< Entries by number.
};

HtmlReport::HtmlReport(HtmlReportOptions options) : impl_(new Impl(std::move(options))) {}
HtmlReport::~HtmlReport() = default;

void HtmlReport::add(const ReportPair& pair) {
  check_json_object(pair.json, pair.name);
  Json entry = Json::object({{"id", pair.number}, {"name", pair.name}});
  if (const std::string picture = thumbnail_of(pair); !picture.empty()) entry.set("thumb", picture);
  if (pair.keeps_pixels) entry.set("parts", impl_->write_parts(pair));
  std::string text = entry.text();
  text.back() = ',';
  text += "\"pair\":" + pair.json + "}";
  std::erase(text, '\n');
  impl_->add_entry(pair.number, json_for_page(text));
}

void HtmlReport::finish() {
  // A run that stops early skips numbers.
  while (!impl_->waiting.empty()) impl_->write_first();
  impl_->write("\n]}\n" + report_page().after);
  impl_->scripts.publish();
  impl_->index.commit();
  impl_->scripts.remove_others();
}

}  // namespace cuimg
