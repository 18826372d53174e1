// SPDX-License-Identifier: Apache-2.0
// card_chains LIST...: kernels alone on a card for the chains of tests/bench/card/*.txt, 7680x4320.
// Each line has the goal in milliseconds (0: none), the pixels and the chain; FRAME in it is a
// second image of the same size, CUBE a file with a table of 33^3. Pixels are a number of channels,
// for floats whose values are not converted; or a number and a type, such as 4half: from a file of
// that type to a file of that type, with sRGB's curve and straight alpha for integers. "array" is
// the time of the chain followed by a rotation, up to the light that the rotation reads through its
// texture, in a CUDA array; and its ratio to the same time in rows. "runs" is the number of the
// plan's operations that run, without the conversions that their kernels include.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "device/queue.h"
#include "kernels/color/encoding.h"
#include "pipeline/execute/card_layout.h"
#include "pipeline/plan.h"
#include "pipeline/recipe.h"

namespace cuimg {
namespace {

constexpr int width = 7680, height = 4320;
// Measured for a copy on the H200, counting reads and writes.
constexpr double bytes_per_ms = 4.26e9;

struct Pixels {
  int channels = 4;
  PixelType type = PixelType::f32;
  bool as_files_have_it = false;
};

Spec spec_of(int channels, PixelType type) {
  static const std::vector<std::string> names[] = {
      {"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}};
  Spec spec;
  spec.data_window = spec.display_window = {0, 0, width, height};
  spec.layers = {{"", names[channels - 1], type}};
  return spec;
}

template <class T>
Image noise(const Spec& spec, T (*value)(float)) {
  Image image(spec);
  std::uint32_t state = 1;
  for (int y = 0; y < height; ++y) {
    auto* row = reinterpret_cast<T*>(image.row(0, y));
    for (std::size_t i = 0; i < image.row_bytes(0) / sizeof(T); ++i) {
      state = state * 1664525u + 1013904223u;
      row[i] = value(static_cast<float>(state >> 8) * 0x1p-24f);
    }
  }
  return image;
}

// The second image, made when the first case needs it.
std::string frame_file() {
  static const std::string path = [] {
    const std::string name = (std::filesystem::temp_directory_path() / "cuimg-frame.exr").string();
    write_image(name, noise<Half>(spec_of(4, PixelType::half), float_to_half), *codec_named("exr"),
                {.compression = "none"});
    return name;
  }();
  return path;
}

// A 3D table of 33^3 that bends and mixes colours a little, made when needed.
std::string cube_file() {
  static const std::string path = [] {
    const std::string name = (std::filesystem::temp_directory_path() / "cuimg-bench.cube").string();
    constexpr int size = 33;
    std::ofstream file(name);
    file << "LUT_3D_SIZE " << size << '\n';
    for (int b = 0; b < size; ++b)
      for (int g = 0; g < size; ++g)
        for (int r = 0; r < size; ++r) {
          const double x = r / 32.0, y = g / 32.0, z = b / 32.0;
          file << x * (1.5 - 0.5 * x) << ' ' << 0.9 * y + 0.1 * x << ' ' << z * z << '\n';
        }
    if (!file) throw Error(name, "it cannot be written");
    return name;
  }();
  return path;
}

// A picture of noise, as if decoded from a file of that type.
Image decoded(const Pixels& pixels) {
  Spec spec = spec_of(pixels.channels, pixels.type);
  if (pixels.type == PixelType::u8 || pixels.type == PixelType::u16)
    spec.color = {Curve::srgb, 1.0f, false, {}};
  const auto of = [](auto stored) {
    return [](float v) {
      decltype(stored) result;
      float_to_stored(v, result);
      return result;
    };
  };
  switch (pixels.type) {
    case PixelType::u8:
      return noise<std::uint8_t>(spec, of(std::uint8_t()));
    case PixelType::u16:
      return noise<std::uint16_t>(spec, of(std::uint16_t()));
    case PixelType::half:
      return noise<Half>(spec, of(Half()));
    default:
      return noise<float>(spec, of(float()));
  }
}

struct Case {
  double goal_ms;
  std::string pixels_text;
  Pixels pixels;
  std::vector<std::string> words;
  std::string text;
};

Pixels parse_pixels(const std::string& text, const std::string& place) {
  Pixels pixels;
  pixels.channels = text.empty() ? 0 : text.front() - '0';
  if (pixels.channels < 1 || pixels.channels > 4)
    throw Error(place, text, "GOAL CHANNELS[TYPE] CHAIN");
  pixels.as_files_have_it = text.size() > 1;
  if (pixels.as_files_have_it) {
    const auto choices = choices_of(PixelType{});
    const auto named = std::find_if(choices.begin(), choices.end(), [&](const auto& choice) {
      return choice.name == std::string_view(text).substr(1);
    });
    if (named == choices.end()) throw Error(place, text, "a type is u8, u16, half or float");
    pixels.type = named->value;
  }
  return pixels;
}

std::vector<Case> read_cases(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(path, "it cannot be read");
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream in(line);
    Case c;
    in >> c.goal_ms >> c.pixels_text;
    std::getline(in >> std::ws, c.text);
    if (!in) throw Error(path, line, "GOAL CHANNELS[TYPE] CHAIN");
    c.pixels = parse_pixels(c.pixels_text, path);
    c.words = recipe_words(c.text, path);
    for (std::string& word : c.words) {
      if (word == "FRAME") word = frame_file();
      if (word == "CUBE") word = cube_file();
    }
    cases.push_back(std::move(c));
  }
  return cases;
}

// Runs a chain repeatedly on the same frames.
class ChainOnCard {
 public:
  /// @param steps the first steps of the plan. @param last where their result is stored.
  ChainOnCard(const Plan& plan, const Queue& queue, const Image& image, std::size_t steps,
              Storage last)
      : steps_(plan.steps), queue_(queue) {
    regions_ = {plan.input.data_window};
    for (const PlannedStep& step : plan.steps)
      regions_.push_back(step.operation->output().data_window);
    frame(image, {steps, 0, last});
  }
  void run() const {
    for (const Run& run : runs_)
      operation(steps_, run.step).run(queue_, run.layer, run.sources, run.target);
  }
  std::size_t runs() const { return runs_.size(); }

 private:
  struct Run {
    std::size_t step;
    int layer;
    std::vector<Frame> sources;
    Frame target;
  };

  Frame frame(const Image& image, const LayerOfStep& wanted) {
    if (wanted.steps == 0) {
      RowProgress ready;
      ready.finish();
      return image.spec().layers.empty() ? Frame() : queue_.upload(image, 0, ready, wanted.storage);
    }
    const RunOnCard how = run_on_card(steps_, regions_, wanted);
    Run run{how.step, how.layer, {}, {}};
    for (std::size_t i = 0; i < how.sources.size(); ++i) {
      const Frame source = frame(image, how.sources[i]);
      run.sources.push_back(how.decoded[i] ? source.seen_as_floats(how.decoded[i]) : source);
    }
    const Frame made =
        queue_.allocate(format_of(operation(steps_, wanted.steps - 1).output(), wanted.layer,
                                  regions_[wanted.steps], wanted.storage));
    run.target = how.encoded ? made.seen_as_floats(how.encoded) : made;
    runs_.push_back(std::move(run));
    return made;
  }

  const Steps steps_;
  const Queue& queue_;
  Regions regions_;
  std::vector<Run> runs_;
};

double median_ms(Queue& queue, const ChainOnCard& chain) {
  for (int i = 0; i < 3; ++i) chain.run();
  queue.keep_times();
  for (int i = 0; i < 15; ++i) queue.time_step("run " + std::to_string(i), [&] { chain.run(); });
  std::vector<double> times;
  for (const StepTime& time : queue.take_times()) times.push_back(time.milliseconds);
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  return times[times.size() / 2];
}

// The bytes of a frame on the card, where three channels use the space of four.
double frame_bytes(const LayerSpec& layer, const Rect& window) {
  const int stored = layer.channel_count() == 3 ? 4 : layer.channel_count();
  return stored * static_cast<double>(bytes_of(layer.type)) * static_cast<double>(window.pixels());
}

Plan plan_for(const Case& c, const Spec& input, const std::vector<BoundStage>& stages) {
  StageContext context;
  context.raw = !c.pixels.as_files_have_it;
  if (context.raw) return make_plan(input, stages, nullptr, {}, {0, 0, 0}, context);
  const bool in_integers = input.color.curve == Curve::srgb;
  return make_plan(input, stages, codec_named(in_integers ? "png" : "exr"), c.pixels.type,
                   {0, 0, 0}, context);
}

bool begins_with_source(const std::vector<std::string>& words) {
  const StageDescription* const first = find_stage(words.front());
  if (first == nullptr) throw Error(words.front(), "there is no such stage");
  return first->kind == Kind::source;
}

std::vector<BoundStage> stages_of(std::vector<std::string> words) {
  const bool is_source = begins_with_source(words);
  words.insert(words.end(), {"-o", "out.exr"});
  if (!is_source) words.push_back("in.exr");
  return parse_pipeline(words).stages;
}

void measure(Queue& queue, const Case& c, std::map<std::string, Image>& images) {
  const bool is_source = begins_with_source(c.words);
  Image& image = images[c.pixels_text];
  if (!is_source && image.spec().layers.empty()) image = decoded(c.pixels);
  const Image none;
  const Image& input = is_source ? none : image;
  const Plan plan = plan_for(c, input.spec(), stages_of(c.words));
  const ChainOnCard chain(plan, queue, input, plan.steps.size(), Storage::pitched);
  const double ms = median_ms(queue, chain);

  std::vector<std::string> read = c.words;
  read.insert(read.end(), {"+", "rotate", "--angle", "17"});
  const Plan with_reader = plan_for(c, input.spec(), stages_of(read));
  const auto reader = std::find_if(with_reader.steps.rbegin(), with_reader.steps.rend(),
                                   [](const PlannedStep& step) { return step.name == "rotate"; });
  const auto before = static_cast<std::size_t>(with_reader.steps.rend() - reader) - 1;
  const auto time_into = [&](Storage storage) {
    return median_ms(queue, ChainOnCard(with_reader, queue, input, before, storage));
  };
  const double rows_ms = time_into(Storage::pitched), array_ms = time_into(Storage::array);
  const Spec& out = plan.output();
  const double bytes =
      (is_source ? 0.0 : frame_bytes(input.spec().layers[0], input.spec().data_window)) +
      frame_bytes(out.layers[0], out.data_window);
  const double least = bytes / bytes_per_ms;
  fmt::print(
      "{:6} {:50} {:8.3f} ms  least {:.3f}  share {:3.0f} %  runs {}  array {:8.3f} x{:.2f}{}\n",
      c.pixels_text, c.text, ms, least, 100 * least / ms, chain.runs(), array_ms,
      array_ms / rows_ms,
      c.goal_ms > 0 ? fmt::format("  goal {:.2f} {}", c.goal_ms, ms <= c.goal_ms ? "met" : "MISSED")
                    : "");
  std::fflush(stdout);
}

int run(const std::vector<std::string>& lists) {
  Queue queue = Queue::cuda(0);
  fmt::print("{}\n", queue.name());
  std::map<std::string, Image> images;
  int failures = 0;
  for (const std::string& list : lists)
    for (const Case& c : read_cases(list)) try {
        measure(queue, c, images);
      } catch (const Error& error) {
        ++failures;
        fmt::print("FAILED {}: {}\n", c.text, error.what());
      }
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace cuimg

int main(int argc, char** argv) {
  try {
    return cuimg::run({argv + 1, argv + argc});
  } catch (const cuimg::DeviceError& error) {
    fmt::print(stderr, "card_chains: {}\n", error.what());
    return 77;
  } catch (const std::exception& error) {
    fmt::print(stderr, "card_chains: {}\n", error.what());
    return 2;
  }
}
