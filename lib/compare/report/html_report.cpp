// SPDX-License-Identifier: Apache-2.0
#include "compare/report/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <regex>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "compare/report/page.h"
#include "compare/report/stored_report.h"
#include "compare/report/thumbnail.h"
#include "compare/report/web_text.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

// The folders that a report writes into. Scripts gather in one of their own, so that the scripts of
// an earlier report stay valid until the new list is complete.
class ReportFolders {
 public:
  explicit ReportFolders(const fs::path& report)
      : pairs(report / "pairs"), unfinished(report / "pairs.unfinished") {
    std::error_code error;
    for (fs::path folder = report; !folder.empty() && !fs::exists(folder, error);
         folder = folder.parent_path())
      made_.push_back(folder);
    fs::remove_all(unfinished, error);  // of a run that was killed
    fs::create_directories(unfinished, error);
    if (error) throw Error(report.string(), "cannot make the folder: " + error.message());
  }
  /// Without publish() removes what was written, and folders that were not there before.
  ~ReportFolders() {
    std::error_code ignored;
    fs::remove_all(unfinished, ignored);
    if (is_published_) return;
    for (const fs::path& folder : made_) fs::remove(folder, ignored);
  }
  ReportFolders(const ReportFolders&) = delete;
  ReportFolders& operator=(const ReportFolders&) = delete;

  /// Puts the scripts where the list names them.
  void publish(const std::set<std::string>& scripts) {
    std::error_code error;
    fs::create_directories(pairs, error);
    for (const std::string& script : scripts) {
      if (!error) fs::rename(unfinished / script, pairs / script, error);
    }
    if (error) throw Error(pairs.string(), "cannot write the folder: " + error.message());
    is_published_ = true;
  }

  const fs::path pairs, unfinished;

 private:
  std::vector<fs::path> made_;  ///< The innermost first.
  bool is_published_ = false;
};

// Layers of one name on both sides are a pair, in the golden's order; then the result's others.
std::vector<LayerPixels> layers_of(const ReportPart& part) {
  std::vector<LayerPixels> layers;
  std::vector<bool> is_taken(part.result ? part.result->spec().layers.size() : 0);
  const auto maps = [&](std::size_t i) {
    return i < part.maps.size() ? part.maps[i] : ReportMaps{};
  };
  const std::size_t goldens = part.golden ? part.golden->spec().layers.size() : 0;
  for (std::size_t i = 0; i < goldens; ++i) {
    LayerPixels layer{part.golden,        nullptr,     static_cast<int>(i), 0,
                      maps(i).difference, maps(i).flip};
    for (std::size_t k = 0; k < is_taken.size() && layer.result == nullptr; ++k) {
      const auto& golden = part.golden->spec().layers[i];
      if (is_taken[k] || part.result->spec().layers[k].name != golden.name) continue;
      layer.result = part.result;
      layer.result_layer = static_cast<int>(k);
      is_taken[k] = true;
    }
    layers.push_back(layer);
  }
  for (std::size_t k = 0; k < is_taken.size(); ++k) {
    if (is_taken[k]) continue;
    LayerPixels layer{nullptr, part.result, 0, static_cast<int>(k), {}, {}};
    if (goldens == 0) {
      layer.difference = maps(k).difference;
      layer.flip = maps(k).flip;
    }
    layers.push_back(layer);
  }
  return layers;
}

const LayerSpec& spec_of(const LayerPixels& pixels) {
  const bool has_golden = pixels.golden != nullptr;
  const Image& image = has_golden ? *pixels.golden : *pixels.result;
  const int layer = has_golden ? pixels.golden_layer : pixels.result_layer;
  return image.spec().layers[static_cast<std::size_t>(layer)];
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
        folders(options.folder),
        index((fs::path(options.folder) / "index.html").string()) {
    const Json command = Json::object({{"update", options.update}, {"golden", options.golden}});
    write(report_page().before + "{\"title\":" + json_for_page(Json(options.title).text()) +
          ",\"command\":" + json_for_page(command.text()) + ",\"pairs\":[");
  }

  void write(std::string_view text) { index.sink().write(std::as_bytes(std::span(text))); }

  /// A layer as the list names it; its script is written here.
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
    OutputFile script((folders.unfinished / (file + ".js")).string());
    write_layer_script(file, pair.name, pixels, script.sink());
    script.commit();
    const std::lock_guard lock(mutex);
    scripts.insert(file + ".js");
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
      parts.push(Json::object({{"name", part.name}, {"layers", layers}}));
    }
    return parts;
  }

  void remove_other_scripts() const {
    static const std::regex ours("[0-9]{4,7}(-[0-9]+)?\\.js");
    std::error_code ignored;
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(folders.pairs, ignored)) {
      const std::string name = entry.path().filename().string();
      if (std::regex_match(name, ours) && !scripts.contains(name)) old.push_back(entry.path());
    }
    for (const fs::path& path : old) fs::remove(path, ignored);
  }

  const HtmlReportOptions options;
  ReportFolders folders;
  OutputFile index;
  std::mutex mutex;  ///< Of what follows, and of the index.
  std::set<std::string> scripts;
  bool has_pairs = false;
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
  const std::lock_guard lock(impl_->mutex);
  impl_->write((impl_->has_pairs ? ",\n" : "\n") + json_for_page(text));
  impl_->has_pairs = true;
}

void HtmlReport::finish() {
  impl_->write("\n]}\n" + report_page().after);
  impl_->folders.publish(impl_->scripts);
  impl_->index.commit();
  impl_->remove_other_scripts();
}

}  // namespace cuimg
