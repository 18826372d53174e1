// SPDX-License-Identifier: Apache-2.0
// Signals that end the program: temporary files are removed first, and the first SIGINT of a run
// over many images lets those that were begun be finished.
#pragma once

namespace cuimg {

/// SIGINT, SIGTERM and SIGHUP remove the temporary files of this process, then end it as the
/// signal would have. Called once by the program; a library's user may choose not to.
void remove_temporaries_on_signals();

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
