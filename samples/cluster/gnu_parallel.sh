#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Eight shares over the machines of a file, by GNU parallel and ssh. gnu_parallel.sh IN OUT [MACHINES]
set -euo pipefail
where=()
[ $# -lt 3 ] || where=(--sshloginfile "$3" --workdir "$PWD")
seq 0 7 | parallel "${where[@]}" --jobs 1 --quote --joblog "$2.joblog" --resume-failed \
  cuimg resize --size 50% "$1" -o "$2/{stem}.jpg" --shard '{}/8' --skip-existing
