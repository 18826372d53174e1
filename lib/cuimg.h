// SPDX-License-Identifier: Apache-2.0
// Everything that a program usually needs of the library: `#include <cuimg/cuimg.h>`.
#pragma once

#include "device/queue.h"
#include "image/error.h"
#include "image/image.h"
#include "io/codec.h"
#include "pipeline/apply.h"
#include "pipeline/run.h"
#include "stages/remap.h"
#include "stages/resize.h"
#include "stages/table.h"
#include "version.h"
