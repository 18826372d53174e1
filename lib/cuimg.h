// SPDX-License-Identifier: Apache-2.0
// Includes everything that a program usually needs from the library: `#include <cuimg/cuimg.h>`.
#pragma once

#include "base/error.h"
#include "compare/compare.h"
#include "device/card_session.h"
#include "device/queue.h"
#include "image/image.h"
#include "io/codec.h"
#include "pipeline/run/apply.h"
#include "pipeline/run/halved_levels.h"
#include "pipeline/run/parse_chain.h"
#include "pipeline/run/run.h"
#include "stages/geometry/resize.h"
#include "stages/registry.h"
#include "stages/warp/remap.h"
#include "version.h"
