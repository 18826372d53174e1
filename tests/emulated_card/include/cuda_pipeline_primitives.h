// SPDX-License-Identifier: Apache-2.0
// Stands before CUDA's header of this name: emulate.h has what it declares.
#pragma once
