// SPDX-License-Identifier: Apache-2.0
// Handles signals that end the program: temporary files are removed first, and the first SIGINT of
// a run over many images lets the images that were begun finish.
#pragma once

namespace cuimg {

/// Makes SIGINT, SIGTERM and SIGHUP remove this process's temporary files, and then end it as the
/// signal would have. A program calls it once; a user of the library may choose not to.
void remove_temporaries_on_signals();

/// While an object exists, the first SIGINT is only noted, if remove_temporaries_on_signals() was
/// called; the next one ends the process as other signals do.
class FinishOnInterrupt {
 public:
  explicit FinishOnInterrupt(bool enabled);
  ~FinishOnInterrupt();
  FinishOnInterrupt(const FinishOnInterrupt&) = delete;
  FinishOnInterrupt& operator=(const FinishOnInterrupt&) = delete;

  bool came() const;
};

/// Whether a SIGINT was noted: then the process should end by this signal when everything is
/// finished.
bool was_interrupted();

}  // namespace cuimg
