# SPDX-License-Identifier: Apache-2.0
# What scripts/cuimg and scripts/test share: packages, configuring, building. Sourced, not run.
# Everything here writes to standard error and leaves standard input alone: both are the program's.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build

die() {
  echo "${0##*/}: $*" >&2
  exit 2
}

package_lists=("$root/scripts/packages")

# The names in the lists of packages that are not installed, one a line.
missing_packages() {
  local wanted
  wanted=$(sed -e 's/#.*//' -e 's/ //g' -e '/^$/d' "${package_lists[@]}" | sort)
  # dpkg-query fails when it has never heard of a name; what it knows, it prints all the same.
  # shellcheck disable=SC2086  # one word a package
  comm -23 <(echo "$wanted") <(
    dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
      sed -n 's/^installed //p' | sort)
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "missing packages, and neither root nor sudo to install them: $(missing_packages | xargs)"
  fi
}

install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "${0##*/}: no Debian here; taking what scripts/packages names as installed" >&2
    return
  fi
  local missing
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  echo "${0##*/}: installing" $missing >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update &&
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get -q -y install --no-install-recommends $missing
}

# Where nvcc is; empty without. CMake remembers an absent one, so a change configures afresh.
nvcc_path() {
  command -v nvcc || command -v /usr/local/cuda/bin/nvcc || true
}

# Whether $1, a stamp, is newer than every file and folder that the build reads.
up_to_date() {
  [ -e "$1" ] && [ "$(<"$build/.nvcc")" = "$(nvcc_path)" ] &&
    [ -z "$(find "$root"/{apps,cmake,kernels,lib,samples,tests,scripts/packages} \
      "$root"/{CMakeLists.txt,CMakePresets.json} -newer "$1" -print -quit)" ]
} 2>/dev/null

# Configures when need be and builds target $1.
configure_and_build() {
  local nvcc fresh=
  nvcc=$(nvcc_path)
  if [ -e "$build/.nvcc" ] && [ "$(<"$build/.nvcc")" != "$nvcc" ]; then fresh=--fresh; fi
  if [ -n "$fresh" ] || [ ! -e "$build/build.ninja" ]; then
    # shellcheck disable=SC2086
    (cd "$root" && cmake --preset default -DCUIMG_GROUPED=ON -DCUIMG_ONE_PASS=ON $fresh) || return
  fi
  echo "$nvcc" >"$build/.nvcc" &&
    cmake --build "$build" -j "$(nproc)" --target "$1"
}

# Builds target $1 unless its stamp says that nothing has changed since. Of two calls at once, as
# in a shell pipeline, one builds and the other waits.
ensure_built() {
  local stamp=$build/.built-$1
  up_to_date "$stamp" && return
  mkdir -p "$build"
  # Every step is checked by hand: errexit sleeps on the left of ||.
  (
    flock 9 || exit
    up_to_date "$stamp" && exit
    # Made first, so that what is edited while the compiler runs is newer.
    touch "$stamp.new" && install_packages && configure_and_build "$1" && mv "$stamp.new" "$stamp"
  ) 9>"$build/.lock" </dev/null >&2 || die "the build failed"
}
