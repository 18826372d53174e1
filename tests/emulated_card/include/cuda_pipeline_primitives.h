// SPDX-License-Identifier: Apache-2.0
// Replaces CUDA's header of this name: emulate.h has its declarations.
#pragma once
