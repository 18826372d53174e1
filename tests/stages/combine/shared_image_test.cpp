// SPDX-License-Identifier: Apache-2.0
// Objects that a run reads once: made by the first thread that requests them, and never again.
#include "stages/shared_image.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "base/error.h"
#include "stages/run_cache.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

// Calls `ask` from several threads at the same time.
template <class Ask>
void from_threads(const Ask& ask) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back(ask);
}

template <class Call>
std::string error_from(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(RunCache, MakesAValueOnceForItsTypeAndName) {
  RunCache cache;
  std::atomic<int> made = 0;
  const auto ask = [&](const std::string& name) {
    return cache.once<int>(name, [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return std::make_shared<int>(++made);
    });
  };
  from_threads([&] { EXPECT_EQ(*ask("a"), 1); });
  EXPECT_EQ(*ask("b"), 2);
  EXPECT_EQ(*ask("a"), 1);
  EXPECT_EQ(*cache.once<std::string>("a", [] { return std::make_shared<std::string>("text"); }),
            "text");
}

TEST(RunCache, GivesAFailureToAllWhoAskAndTriesNoSecondTime) {
  RunCache cache;
  std::atomic<int> tried = 0, failed = 0;
  from_threads([&] {
    const std::string what = error_from([&] {
      cache.once<int>("a", [&]() -> std::shared_ptr<int> {
        ++tried;
        throw Error("file", "it is broken");
      });
    });
    if (what == "file: it is broken") ++failed;
  });
  EXPECT_EQ(tried, 1);
  EXPECT_EQ(failed, 8);
}

TEST(RunCache, KeepsOnlyTheLatestOfWhatComesInAnyNumber) {
  RunCache cache;
  int made = 0;
  const auto ask = [&](int size) {
    return *cache.recent<int>(std::to_string(size), [&] {
      ++made;
      return std::make_shared<int>(size);
    });
  };
  for (int round = 0; round < 2; ++round)
    for (int size = 0; size < 10; ++size) EXPECT_EQ(ask(size), size);
  EXPECT_EQ(made, 10);
  for (int size = 10; size < 100; ++size) EXPECT_EQ(ask(size), size);
  EXPECT_EQ(ask(99), 99);
  EXPECT_EQ(made, 100);
  EXPECT_EQ(ask(0), 0);
  EXPECT_EQ(made, 101);
}

TEST(RunCache, OfOneInputKeepsItsOwnFilesAlone) {
  RunCache shared;
  int made = 0;
  const auto make = [&] { return std::make_shared<int>(++made); };
  std::weak_ptr<const int> own_value;
  {
    RunCache own(shared, {{"own", ""}, {"gone", "form"}});
    own_value = once_a_run<int>(&own, "own", "own", make);
    EXPECT_EQ(once_a_run<int>(&own, "own", "own", make), own_value.lock());
    EXPECT_EQ(*once_a_run<int>(&own, "other", "other", make), 2);
    EXPECT_EQ(*own.recent<int>("size", make), 3);
    EXPECT_EQ(own.black_form("own"), "");
    EXPECT_EQ(own.black_form("gone"), "form");
    own.of_file("own").add_held(5);
    own.of_file("other").add_held(7);
    EXPECT_EQ(own.own_bytes(), 5u);
    EXPECT_EQ(own.held_bytes(), 12u);
    EXPECT_FALSE(own_value.expired());
  }
  EXPECT_TRUE(own_value.expired());
  EXPECT_EQ(shared.held_bytes(), 7u);
  EXPECT_EQ(*once_a_run<int>(&shared, "other", "other", make), 2);
  EXPECT_EQ(*shared.recent<int>("size", make), 3);
}

TEST(RunCache, WithoutOneEveryCallMakesItsOwn) {
  int made = 0;
  const auto ask = [&] {
    return *once_a_run<int>(nullptr, "a", "a", [&] { return std::make_shared<int>(++made); });
  };
  EXPECT_EQ(ask(), 1);
  EXPECT_EQ(ask(), 2);
}

const Rect window = {3, 4, 5, 2};

TEST(SharedImage, MakesItsPixelsOnceAtTheFirstUse) {
  std::atomic<int> made = 0;
  const Image image = noise(spec_of(window, PixelType::half, 3));
  const SharedImage shared(image.spec(), [&] {
    ++made;
    return noise(spec_of(window, PixelType::half, 3));
  });
  EXPECT_EQ(shared.spec(), image.spec());
  EXPECT_EQ(made, 0);
  std::array<std::atomic<const Image*>, 8> seen = {};
  std::atomic<std::size_t> next = 0;
  from_threads([&] { seen[next++] = &shared.pixels(); });
  EXPECT_EQ(made, 1);
  for (const auto& one : seen) EXPECT_EQ(one, &shared.pixels());
  EXPECT_EQ(difference(shared.pixels(), image), std::nullopt);
}

TEST(SharedImage, FailsForAllWhoAskAndTriesNoSecondTime) {
  std::atomic<int> tried = 0, failed = 0;
  const SharedImage shared(spec_of(window, PixelType::u8, 3), [&]() -> Image {
    ++tried;
    throw Error("file", "it is broken");
  });
  from_threads([&] {
    if (error_from([&] { shared.pixels(); }) == "file: it is broken") ++failed;
  });
  EXPECT_EQ(tried, 1);
  EXPECT_EQ(failed, 8);
}

TEST(SharedImage, OfAFileIsOneForARunAndEachUseOfIt) {
  const TempDir folder;
  const std::string path = folder / "a.exr";
  write_image(path, noise(spec_of(window, PixelType::f32, 4)), *codec_named("exr"));
  RunCache cache;
  StageContext context;
  context.run = &cache;
  const SharedImage::Use corner = {
      "corner", [](const Spec& file) {
        Spec spec = file;
        spec.data_window.width = spec.data_window.height = 1;
        return SharedImage::Extract{spec, [spec](const Image&) { return flat(spec, 2); }};
      }};
  const auto first = SharedImage::open(path, false, context);
  const auto part = SharedImage::open(path, false, context, corner);
  // Later changes of the file do not affect this run.
  write_image(path, noise(spec_of({0, 0, 9, 9}, PixelType::f32, 4)), *codec_named("exr"));
  EXPECT_EQ(SharedImage::open(path, false, context), first);
  EXPECT_EQ(SharedImage::open(path, false, context, corner), part);
  EXPECT_EQ(SharedImage::open(path, true, context)->spec().data_window, window);
  EXPECT_EQ(first->pixels().spec().data_window, window);
  EXPECT_EQ(part->pixels().spec().data_window, (Rect{3, 4, 1, 1}));
  RunCache next;
  context.run = &next;
  EXPECT_EQ(SharedImage::open(path, false, context)->spec().data_window, (Rect{0, 0, 9, 9}));
}

TEST(SharedImage, LetsItsDecoderGoWhenItIsDone) {
  const auto decoder = std::make_shared<int>(0);
  const SharedImage shared(spec_of(window, PixelType::u8, 1),
                           [decoder] { return flat(spec_of(window, PixelType::u8, 1), 0.5f); });
  EXPECT_EQ(decoder.use_count(), 2);
  shared.pixels();
  EXPECT_EQ(decoder.use_count(), 1);
}

TEST(SharedImage, FormsOfOneKindAreKeptTogether) {
  const SharedImage shared(flat(spec_of(window, PixelType::f32, 4), 1));
  const LayerSpec layer = shared.spec().layers.front();
  LayerSpec renamed = layer;
  renamed.name = "other";
  const auto kept_in = [&](const SharedImage::Form& form) {
    PerCard<Frame> place = shared.kept(form);
    return place.shares_with(shared.kept({0, layer, {}, false}));
  };
  EXPECT_TRUE(kept_in({0, layer, {}, false}));
  EXPECT_TRUE(kept_in({0, renamed, {}, false}));
  EXPECT_FALSE(kept_in({0, layer, {}, true}));
  EXPECT_FALSE(kept_in({1, layer, {}, false}));
  EXPECT_FALSE(kept_in({0, layer, {Curve::srgb, 1.0f, false, {}}, false}));
  for (float gamma = 2; gamma < 100; ++gamma) shared.kept({0, layer, {Curve::gamma, gamma}, false});
  EXPECT_TRUE(kept_in({0, layer, {}, false}));
}

}  // namespace
}  // namespace cuimg::test
