// SPDX-License-Identifier: Apache-2.0
// The first SIGINT of a run over many images: those that were begun are finished.
#pragma once

namespace cuimg {

/// While one lives, the first SIGINT is only noted, where remove_temporaries_on_signals() was
/// called; the next one ends the process as other signals do.
class FinishOnInterrupt {
 public:
  explicit FinishOnInterrupt(bool enabled);
  ~FinishOnInterrupt();
  FinishOnInterrupt(const FinishOnInterrupt&) = delete;
  FinishOnInterrupt& operator=(const FinishOnInterrupt&) = delete;

  bool came() const;
};

/// Whether a SIGINT was noted: the process should end by it once everything is finished.
bool was_interrupted();

}  // namespace cuimg
