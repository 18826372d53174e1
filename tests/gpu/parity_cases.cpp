// SPDX-License-Identifier: Apache-2.0
#include "parity_cases.h"

#include <csignal>
#include <ctime>

// Defined if the tests are built with a sanitizer.
extern "C" void __sanitizer_set_death_callback(void (*)()) __attribute__((weak));

namespace cuimg::test {
namespace {

// A sanitizer ends the process at the first fault, as does abort(). This then prints the current
// case.
class Running {
 public:
  explicit Running(const std::string& what) {
    what_ = what;
    std::signal(SIGABRT, [](int) { print(); });
    if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(print);
  }
  ~Running() { what_.clear(); }

 private:
  static void print() {
    if (!what_.empty()) std::fprintf(stderr, "while running %s\n", what_.c_str());
  }

  static inline std::string what_;
};

// A picture for a chain: small, with special values every other time.
Image chain_picture(Draw& draw) {
  if (draw.one_in(8))
    return forced_picture(forced_pictures[draw.bits() % std::size(forced_pictures)], draw);
  Image picture = random_picture(draw, 48);
  if (draw.one_in(2)) add_special_values(picture, draw.one_in(3) ? 4 : 60, draw);
  return picture;
}

BoundStage random_link(const StageDescription& stage, Draw& draw, const TempDir& folder,
                       const Rect& picture) {
  // This mode refuses some pictures; both devices must then give the same error.
  if (stage.name == "fixnan" && draw.one_in(4))
    return parse_chain("fixnan --mode error").stages.front();
  return random_stage(stage, draw, folder, picture);
}

bool within(const Plan& plan, const ChainLimits& limits) {
  if (plan.cost_ns() > limits.cost_ns) return false;
  for (const PlannedStep& step : plan.steps) {
    const Spec& made = step.operation->output();
    if (made.data_window.pixels() > limits.pixels || made.display_window.pixels() > limits.pixels)
      return false;
  }
  return true;
}

}  // namespace

Made made_on(const Queue& queue, const Plan& plan, const Image& source, const ChainOptions& given) {
  ChainOptions options = given;
  options.queue = &queue;
  try {
    return {run_plan(plan, source, options), ""};
  } catch (const Error& error) {
    return {std::nullopt, error.what()};
  }
}

testing::AssertionResult same_on_both(const Queue& card, const Plan& plan, const Image& source,
                                      const ChainOptions& options, const std::string& what) {
  constexpr double longest_seconds = 20;
  static const Queue cpu = Queue::cpu(1);
  const Running running(what);
  // Measures processor time, which other programs do not affect; waiting for a card spins.
  const std::clock_t start = std::clock();
  const Made on_cpu = made_on(cpu, plan, source, options);
  const Made on_card = made_on(card, plan, source, options);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  // Tiles are not timed, because a tile of a stage that reads far is as much work as the whole.
  // There are about two to ten tiles, or more if these do not fit.
  ChainOptions in_tiles = options;
  in_tiles.card_bytes = whole_bytes_on_card(plan) / (2 + what.size() % 9);
  in_tiles.alone_on_card = what.size() % 2 == 0;  // two tiles at a time
  const Made tiled = made_on(card, plan, source, in_tiles);
  const auto said = [](const Made& made) { return made.image ? "no error" : made.error; };
  if (said(on_cpu) != said(on_card))
    return testing::AssertionFailure()
           << "the CPU says: " << said(on_cpu) << "; the card says: " << said(on_card) << "\n"
           << what;
  if (said(on_cpu) != said(tiled))
    return testing::AssertionFailure() << "the CPU says: " << said(on_cpu)
                                       << "; the card in tiles says: " << said(tiled) << "\n"
                                       << what;
  if (tiled.image)
    if (const auto same = same_pixels(*tiled.image, *on_cpu.image); !same)
      return testing::AssertionFailure()
             << "in tiles of " << in_tiles.card_bytes << " bytes: " << same.message() << "\n"
             << what;
  if (on_cpu.image)
    if (const auto same = same_pixels(*on_card.image, *on_cpu.image); !same)
      return testing::AssertionFailure() << same.message() << "\n" << what;
  if (seconds > longest_seconds)
    return testing::AssertionFailure() << "it took " << seconds << " s\n" << what;
  return testing::AssertionSuccess();
}

std::string command_line(const Chain& chain, const ChainOptions& options, const Spec& picture) {
  const bool begins_with_source = chain.stages.front().kind() == Kind::source;
  std::string line = "cuimg " + chain_words(chain.stages) + (chain.raw ? " --raw" : "");
  if (options.type) line += " --type " + std::string(name_of(*options.type));
  if (!begins_with_source) line += " IN";
  line += options.format.empty() ? " OUT, left unconverted" : " OUT." + options.format;
  return begins_with_source ? line : line + ", where IN is " + describe_pixels(picture);
}

std::optional<ChainCase> random_chain(unsigned number, const ChainFolders& folders,
                                      const ChainLimits& limits) {
  Draw draw(seed_of("chains", number));
  ChainCase made;
  made.source = chain_picture(draw);
  Chain chain{{}, draw.one_in(3)};
  if (draw.one_in(3)) made.options.format = draw.of(std::vector<std::string>{"png", "exr", "tiff"});
  static const std::vector<std::string> names = pixel_stages();
  const auto length = static_cast<std::size_t>(draw.number(2, longest_chain));
  Spec before = made.source.spec();
  // Some draws fit no picture, or not this one.
  for (int attempts = 0; chain.stages.size() < length && attempts < 40; ++attempts) {
    const StageDescription& stage = *find_stage(draw.of(names));
    const bool begins = chain.stages.empty();
    if (stage.kind == Kind::source && !(begins && draw.one_in(2))) continue;
    try {
      const BoundStage link =
          random_link(stage, draw, folders[chain.stages.size()], before.display_window);
      const Plan alone = plan_of({{link}, chain.raw}, stage.kind == Kind::source ? Spec{} : before);
      if (!within(alone, limits)) continue;
      before = alone.output();
      chain.stages.push_back(link);
    } catch (const Error&) {
      continue;
    }
  }
  if (chain.stages.size() < 2) return std::nullopt;
  const bool begins_with_source = chain.stages.front().kind() == Kind::source;
  try {
    made.plan = plan_of(chain, begins_with_source ? Spec{} : made.source.spec(), made.options);
  } catch (const Error&) {
    return std::nullopt;  // ids in a format that cannot hold them
  }
  if (!within(made.plan, limits)) return std::nullopt;
  made.command = command_line(chain, made.options, made.source.spec()) +
                 "; repeat it with CUIMG_PARITY_SEED=" + std::to_string(parity_seed()) +
                 " CUIMG_CHAIN_ONLY=" + std::to_string(number);
  return made;
}

}  // namespace cuimg::test
