// SPDX-License-Identifier: Apache-2.0
#include "stages/analyse/report_heading.h"

#include "io/codec.h"

namespace cuimg {

std::string report_heading(const ReportContext& context, const Spec& spec) {
  return context.part ? context.input + ": part " + part_text(*context.part, spec.part_name)
                      : context.input;
}

Json report_object(const ReportContext& context, const Spec& spec) {
  Json object = Json::object({{"file", context.input}});
  if (context.part) object.set("part", *context.part);
  if (context.part && !spec.part_name.empty()) object.set("part_name", spec.part_name);
  return object;
}

}  // namespace cuimg
