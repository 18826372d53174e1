// SPDX-License-Identifier: Apache-2.0
#include "stages/analyse/report_heading.h"

#include "io/codec.h"

namespace cuimg {

std::string report_heading(const ReportSubject& subject, const Spec& spec) {
  return subject.part ? subject.input + ": part " + part_text(*subject.part, spec.part_name)
                      : subject.input;
}

Json report_object(const ReportSubject& subject, const Spec& spec) {
  Json object = Json::object({{"file", subject.input}});
  if (subject.part) object.set("part", *subject.part);
  if (subject.part && !spec.part_name.empty()) object.set("part_name", spec.part_name);
  return object;
}

}  // namespace cuimg
