// SPDX-License-Identifier: Apache-2.0
// Assigning a picture's tiles to lanes, without a card.
#include "pipeline/execute/tile_turns.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "base/error.h"

namespace cuimg::test {
namespace {

// Four rows of three tiles; the last row is lower.
const TileGrid grid({-5, 7, 90, 35}, {30, 10});

// Runs `work` without a time limit.
template <class Work>
bool waits(std::future<Work>& future) {
  return future.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout;
}

TEST(TileTurns, RowsAreCompleteOnceAllTilesAboveAre) {
  RowProgress done;
  TileTurns turns(grid, 2, done);
  for (int tile = 0; tile < 6; ++tile) EXPECT_EQ(turns.next(tile % 2), tile);
  for (const int tile : {5, 4, 3, 2, 1}) {
    turns.finish(tile);
    EXPECT_EQ(done.wait_for(0), 0) << tile;
  }
  turns.finish(0);
  EXPECT_EQ(done.wait_for(0), 20);
  for (int tile = 6; tile < 12; ++tile) EXPECT_EQ(turns.next(0), tile);
  for (int tile = 6; tile < 12; ++tile) turns.finish(tile);
  EXPECT_EQ(done.wait_for(0), 35);
  EXPECT_EQ(turns.next(0), std::nullopt);
  EXPECT_EQ(turns.next(1), std::nullopt);
  EXPECT_NO_THROW(turns.rethrow_failure());
}

TEST(TileTurns, NoTileIsBegunTwoRowsBelowAnIncompleteOne) {
  RowProgress done;
  TileTurns turns(grid, 2, done);
  for (int tile = 0; tile < 6; ++tile) turns.next(0);
  for (int tile = 1; tile < 6; ++tile) turns.finish(tile);
  auto next = std::async(std::launch::async, [&] { return turns.next(1); });
  EXPECT_TRUE(waits(next));
  turns.finish(0);
  EXPECT_EQ(next.get(), 6);
}

TEST(TileTurns, ALaneWithoutMemoryContinuesWhenTheOtherHasEndedItsTile) {
  RowProgress done;
  TileTurns turns(grid, 2, done);
  turns.next(0);
  turns.next(1);
  EXPECT_FALSE(turns.is_alone(1));
  auto alone = std::async(std::launch::async, [&] { return turns.go_on_alone(1, 1); });
  EXPECT_TRUE(waits(alone));
  turns.finish(0);
  EXPECT_TRUE(alone.get());
  EXPECT_TRUE(turns.is_alone(1));
  EXPECT_EQ(turns.next(0), std::nullopt);
  turns.finish(1);
  for (int tile = 2; tile < 12; ++tile) {
    EXPECT_EQ(turns.next(1), tile);
    EXPECT_TRUE(turns.is_alone(1));
    turns.finish(tile);
  }
  EXPECT_EQ(done.wait_for(0), 35);
}

TEST(TileTurns, OfTwoThatFindNoMemoryOneMakesBothTiles) {
  RowProgress done;
  TileTurns turns(grid, 2, done);
  turns.next(0);
  turns.next(1);
  auto first = std::async(std::launch::async, [&] { return turns.go_on_alone(1, 1); });
  EXPECT_TRUE(waits(first));
  EXPECT_FALSE(turns.go_on_alone(0, 0));
  EXPECT_TRUE(first.get());
  turns.finish(1);
  EXPECT_EQ(turns.next(1), 0) << "what the other left, before any other";
  turns.finish(0);
  EXPECT_EQ(turns.next(1), 2);
}

TEST(TileTurns, ALoneLaneIsAloneFromTheBeginning) {
  RowProgress done;
  TileTurns turns(grid, 1, done);
  turns.next(0);
  EXPECT_TRUE(turns.is_alone(0));
}

TEST(TileTurns, AFailureEndsEveryLaneThatWaits) {
  RowProgress done;
  TileTurns turns(grid, 3, done);
  for (int tile = 0; tile < 6; ++tile) turns.next(0);
  auto next = std::async(std::launch::async, [&] { return turns.next(1); });
  auto alone = std::async(std::launch::async, [&] { return turns.go_on_alone(2, 4); });
  EXPECT_TRUE(waits(alone));
  turns.fail(4, std::make_exception_ptr(Error("card", "a later tile's")));
  turns.fail(3, std::make_exception_ptr(Error("card", "the first tile's")));
  turns.fail(5, std::make_exception_ptr(Error("card", "a later tile's")));
  EXPECT_EQ(next.get(), std::nullopt);
  EXPECT_FALSE(alone.get());
  EXPECT_EQ(turns.next(0), std::nullopt);
  try {
    turns.rethrow_failure();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the first tile's"), std::string::npos);
  }
}

// A lane that waits for the consumer of rows blocks no other lane.
TEST(TileTurns, ALaneThatWaitsForTheRowsUserIsNoTileUnderWay) {
  RowProgress done;
  done.keep_near(5, [](int, int) {});
  TileTurns turns(grid, 2, done);
  for (int tile = 0; tile < 4; ++tile) turns.next(tile % 2);
  turns.finish(1);
  turns.finish(2);
  auto finishing = std::async(std::launch::async, [&] { turns.finish(0); });
  EXPECT_TRUE(waits(finishing));
  EXPECT_TRUE(turns.go_on_alone(1, 3));
  done.release(10);
  finishing.get();
}

// Many tiles, three lanes, and not always enough memory.
TEST(TileTurns, EveryTileIsMadeOnce) {
  const TileGrid many({0, 0, 400, 400}, {20, 10});
  for (int lacking = -1; lacking < many.count(); lacking += 37) {
    RowProgress done;
    TileTurns turns(many, 3, done);
    std::vector<std::atomic<int>> made(static_cast<std::size_t>(many.count()));
    const auto lane = [&](int number) {
      while (const auto tile = turns.next(number)) {
        if (*tile >= lacking && lacking >= 0 && !turns.is_alone(number) &&
            !turns.go_on_alone(number, *tile))
          return;
        ++made[static_cast<std::size_t>(*tile)];
        turns.finish(*tile);
      }
    };
    std::thread second(lane, 1), third(lane, 2);
    lane(0);
    second.join();
    third.join();
    for (const auto& times : made) ASSERT_EQ(times, 1);
    EXPECT_EQ(done.wait_for(0), 400);
  }
}

}  // namespace
}  // namespace cuimg::test
