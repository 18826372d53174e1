// SPDX-License-Identifier: Apache-2.0
// Images that keep only some rows in memory at a time equal those that keep all rows.
#include <gtest/gtest.h>

#include <thread>

#include "io/codecs.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

// Makes the source row by row and takes the result row by row, a few rows apart. Released rows are
// overwritten with garbage.
Image run_near(const Plan& plan, const Image& image, int ahead, int threads) {
  Image source(image.spec()), target(plan.output()), result(plan.output());
  const auto spoil = [](Image& rows) {
    return [&rows](int first, int last) {
      const Rect& window = rows.spec().data_window;
      for (int layer = 0; layer < rows.spec().layer_count(); ++layer)
        for (int y = first; y < std::min(last, window.height); ++y)
          std::memset(rows.row(layer, window.y + y), 0xee, rows.row_bytes(layer));
    };
  };
  RowProgress ready, done;
  ready.keep_near(ahead, spoil(source));
  done.keep_near(ahead, spoil(target));
  const auto copy_row = [](const Image& from, Image& to, int row) {
    for (int layer = 0; layer < from.spec().layer_count(); ++layer)
      std::memcpy(to.row(layer, to.spec().data_window.y + row),
                  from.row(layer, from.spec().data_window.y + row), from.row_bytes(layer));
  };
  const std::jthread producer([&] {
    for (int row = 0; row < source.spec().data_window.height; ++row) {
      copy_row(image, source, row);
      ready.advance(row + 1);
    }
    ready.finish();
  });
  const std::jthread worker([&] {
    execute(plan, Queue::cpu(threads), {source, ready, target, done});
  });
  for (int row = 0; row < result.spec().data_window.height; ++row) {
    done.wait_for(row + 1);
    copy_row(target, result, row);
    done.release(row + 1);
  }
  done.wait_for(INT32_MAX);
  return result;
}

TEST(Near, EveryChainGivesTheSamePixels) {
  Spec spec = spec_of({-3, 5, 40, 300}, PixelType::half, 4);
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  const Image image = noise(spec);
  for (const char* words :
       {"resize --size 50%", "resize --size 300%", "resize --filter point",
        "resize --size 90% --border wrap", "resize --size 80% + resize --size 120%"}) {
    const Plan plan = plan_of(parse_chain(words), spec, {.format = "exr", .type = PixelType::f32});
    const Image whole = run_plan(plan, image);
    for (const int ahead : {1, 7, 100})
      for (const int threads : {1, 3})
        EXPECT_TRUE(same_pixels(run_near(plan, image, ahead, threads), whole))
            << words << ", " << ahead << " rows ahead, " << threads << " threads";
  }
}

// Released rows are overwritten while the codec still works, so a codec that reads them again
// fails.
TEST(Near, EveryEncoderGivesTheSameBytes) {
  for (const Codec& codec : codecs())
    for (const std::string_view compression : codec.compressions) {
      if (codec.name == "png" && compression > "1") continue;  // zlib's levels behave alike
      for (const PixelType type : codec.capabilities.types) {
        if (type == PixelType::u32) continue;
        SCOPED_TRACE(std::string(codec.name) + " " + std::string(compression));
        const Image image =
            noise(spec_of({0, 0, 500, 700}, type, codec.capabilities.alpha ? 4 : 3));
        const EncodeOptions options{std::string(compression), {}, 3};
        RowProgress all;
        all.finish();
        MemorySink expected, found;
        codec.encode(image, options, all, expected);
        Image source(image.spec());
        RowProgress ready;
        ready.keep_near(20, [&](int first, int last) {
          for (int y = first; y < std::min(last, 700); ++y)
            std::memset(source.row(0, y), 0xee, source.row_bytes(0));
        });
        const std::jthread producer([&] {
          for (int y = 0; y < 700; ++y) {
            std::memcpy(source.row(0, y), image.row(0, y), image.row_bytes(0));
            ready.advance(y + 1);
          }
          ready.finish();
        });
        codec.encode(source, options, ready, found);
        ready.abandon();
        EXPECT_TRUE(found.bytes() == expected.bytes());
      }
    }
}

// A step that fails in one band while other bands wait for room.
class FailingOperation final : public Operation {
 public:
  explicit FailingOperation(const Spec& spec) : Operation(OperationPlan(spec)) {}
  Rect needed(const Rect& region) const override { return region; }
  void run(const Queue&, int, Frames, const Frame& target) const override {
    if (target.region().y == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      throw std::runtime_error("bad band");
    }
  }
};

TEST(Near, AFailedBandFreesThoseThatWaitForRoom) {
  const Spec spec = spec_of({0, 0, 4, 2000}, PixelType::u8, 1);
  Plan plan;
  plan.input = spec;
  plan.steps.push_back({"failing", std::make_unique<FailingOperation>(spec)});
  Image source(spec), target(spec);
  RowProgress ready, done;
  ready.finish();
  done.keep_near(40, [](int, int) {});
  std::exception_ptr failure;
  std::jthread worker([&] {
    try {
      execute(plan, Queue::cpu(4), {source, ready, target, done});
    } catch (...) {
      done.fail(std::current_exception());
    }
  });
  EXPECT_THROW(done.wait_for(32), std::runtime_error);
}

}  // namespace
}  // namespace cuimg::test
