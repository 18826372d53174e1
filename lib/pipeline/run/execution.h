// SPDX-License-Identifier: Apache-2.0
// Decides where a plan runs: on the device that --device names or, with --device auto, on the one
// that is estimated to be faster; the CPU replaces a card that fails.
#pragma once

#include <functional>

#include "pipeline/execute/execute.h"
#include "pipeline/options.h"
#include "pipeline/run/card_choice.h"
#include "pipeline/run/card_shares.h"
#include "pipeline/run/run_report.h"
#include "stages/run_cache.h"

namespace cuimg {

/// The data that an image's plans share for execution.
struct ExecutionContext {
  const CommonOptions& common;
  CardChoice& card;
  CardShares& cards;
  const ImageTrace& trace;
  /// The second images of a frame, which also take memory on a card.
  const RunCache* own_files = nullptr;
};

/// For --device auto: decides for the plan before anything that depends on the choice begins.
void choose_device(Plan& plan, const ExecutionContext& context);

/// Whether a plan's images may be blocks on the host: it will run on a card, in whole frames, and
/// is one of several. Called directly before it runs.
bool may_use_blocks(const Plan& plan, const ExecutionContext& context);

/// @param report gets the device's name, the steps' times, the reason why --device auto did not use
/// a card, and the difference that --device both found. @throws as execute() does; an Error that
/// names --device if a requested card fails.
void execute_where_asked(const Plan& plan, const ExecutionContext& context, const RowFlow& flow,
                         RunReport& report);

/// Runs work on cards that --device names. @param has_limit whether --max-card-memory is given.
/// @throws Error that names --device for a DeviceError, with advice.
void with_named_cards(const std::function<void()>& work, bool has_limit = false);

/// Fails like with_named_cards() if --device names a card that cannot be used: for work that needs
/// no plan.
void check_card(const CommonOptions& common);

}  // namespace cuimg
