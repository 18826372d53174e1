// SPDX-License-Identifier: Apache-2.0
// Where a plan runs: on the device that --device names, or, with --device auto, on the one that is
// estimated to be faster, the CPU taking over from a card that fails.
#pragma once

#include <functional>

#include "pipeline/execute/execute.h"
#include "pipeline/options.h"
#include "pipeline/run/card_choice.h"
#include "pipeline/run/card_shares.h"
#include "pipeline/run/run_report.h"
#include "stages/run_cache.h"

namespace cuimg {

/// What an image's plans share where they run.
struct ExecutionContext {
  const CommonOptions& common;
  CardChoice& card;
  CardShares& cards;
  const ImageTrace& trace;
  const RunCache* own_files = nullptr;  ///< A frame's second images, which a card holds too.
};

/// With --device auto decides for the plan, before anything that depends on it is begun.
void choose_device(Plan& plan, const ExecutionContext& context);

/// Whether a plan's images may be blocks on the host: it will run on a card, whole, and is one of
/// several. To be asked when it is about to run.
bool may_use_blocks(const Plan& plan, const ExecutionContext& context);

/// @param report gets the device's name, the steps' times, why --device auto did not take a card,
/// and the difference that --device both found. @throws as execute() does; an Error that names
/// --device where a card was asked for and fails.
void execute_where_asked(const Plan& plan, const ExecutionContext& context, const RowFlow& flow,
                         RunReport& report);

/// Runs work on cards that --device names. @param has_limit whether --max-card-memory is given.
/// @throws Error that names --device for a DeviceError, and says what helps.
void with_named_cards(const std::function<void()>& work, bool has_limit = false);

/// Fails as that would where --device names a card that cannot be used: for what is done without
/// running a plan.
void check_card(const CommonOptions& common);

}  // namespace cuimg
