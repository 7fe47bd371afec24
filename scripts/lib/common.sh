# shellcheck shell=bash
# Sourced by every script: where the repository is, which JDK runs it, what it needs, how it is built.
#   help_asked "$@"              for -h and --help: prints the comment at the beginning of the script, and ends it
#   show_help                    the same in any case
#   refuse MESSAGE               for wrong arguments, before anything is done: a line, with where the help is; status 2
#   takes_none "$@"              refuses any argument
#   takes_most N "$@"            refuses the argument after so many
#   needs_value "$@"             refuses an option without its value
#   needs_number WHAT VALUE [LEAST]
#                                refuses what is no whole number of at least LEAST (1)
#   needs_numbers OPTION|OPTION... "$@"
#                                the same of the values of these options among the arguments
#   options_known "$@"           refuses an option that the comment at the beginning of the script does not name
#   run_child COMMAND...         runs it so that a signal ends this script at once; end_child, in a trap, ends it then
#   need_libfabric [tests]       the library is there, or gets installed (Debian), unless the user has named one; "tests":
#                                compiler, headers, tools too
#   with_build_lock COMMAND...   runs what writes to target, Maven above all: one such command at a time
#   build MODULE                 packages MODULE and what it depends on, unless that is up to date
#   jvm_flags                    the flags that every jfabric program on the class path should run with
#   run_example CLASS [ARG...]   all of the above, then CLASS from jfabric-examples
#   run_tool "CLASS TRAINING-ARG..." [JVM-FLAG...] -- [ARG...]
#                                the same for a program that is over in no time, made to start fast
# Messages go to stderr, so that a program's stdout stays its own.
set -euo pipefail

ROOT=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd -P)
JAVA_REQUIRED=25

say() { printf '%s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

show_help() {
    sed -n '/^# shellcheck/d; 2,/^[^#]/s/^# \{0,1\}//p' "$0"
    exit
}

# shellcheck disable=SC2120 # its callers are other files
help_asked() {
    case ${1:-} in
        -h | --help) show_help ;;
    esac
}

refuse() {
    printf 'error: %s; %s --help says what it takes\n' "$*" "scripts/$(basename "$0")" >&2
    exit 2
}

takes_most() { (($# <= $1 + 1)) || refuse "unknown argument ${*:$1 + 2:1}"; }
takes_none() { takes_most 0 "$@"; }

needs_value() { (($# >= 2)) || refuse "$1 needs a value"; }

needs_number() {
    # no more digits than fit
    [[ $2 =~ ^[0-9]{1,18}$ ]] && ((10#$2 >= ${3:-1})) || refuse "$1: '$2' is no whole number of ${3:-1} or more"
}

needs_numbers() {
    local which="|$1|" before='' arg
    shift
    for arg; do
        [[ ! $before || $which != *"|$before|"* ]] || needs_number "$before" "$arg"
        before=$arg
    done
}

options_known() {
    local arg name help
    help=$(show_help)
    for arg; do
        name=${arg%%=*}
        case $name in
            -h | --help | --version) continue ;;
            --*) ;;
            # its value may follow at once
            -?*) name=${name:0:2} ;;
            *) continue ;;
        esac
        grep -Eq -- "(^|[^[:alnum:]-])$(sed 's/[^[:alnum:]-]/\\&/g' <<<"$name")([^[:alnum:]-]|\$)" <<<"$help" ||
            refuse "unknown argument $arg"
    done
}

CHILD=
run_child() {
    local status=0
    set -m
    "$@" </dev/null &
    CHILD=$!
    set +m
    wait "$CHILD" || status=$?
    CHILD=
    return "$status"
}

# Its group: all that it has started, too.
end_child() {
    if [[ $CHILD ]]; then
        kill -- "-$CHILD" 2>/dev/null || true
        wait "$CHILD" 2>/dev/null || true
    fi
}

# --- JDK ---------------------------------------------------------------------------------------------------------

# Feature version of the JDK in $1, or 0. Reads its release file: starting a JVM per candidate would be slow.
java_major() {
    local version=0
    if [[ -x $1/bin/javac && -r $1/release ]]; then
        version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
    fi
    printf '%s' "${version:-0}"
}

find_jdk() {
    local candidate
    while read -r candidate; do
        if [[ -n $candidate ]] && (($(java_major "$candidate") >= JAVA_REQUIRED)); then
            JAVA_HOME=$candidate
            export JAVA_HOME
            return
        fi
    done < <(
        printf '%s\n' "${JAVA_HOME:-}"
        if have javac; then dirname "$(dirname "$(readlink -f "$(command -v javac)")")"; fi
        printf '%s\n' /usr/lib/jvm/* /opt/java/* "${SDKMAN_DIR:-${HOME:-}/.sdkman}"/candidates/java/*
        if have update-alternatives; then
            update-alternatives --list java 2>/dev/null | sed 's|/bin/java$||' || true
        fi
    )
    say "jfabric needs JDK $JAVA_REQUIRED or newer (a JDK, with javac); none was found."
    say "Looked at JAVA_HOME (${JAVA_HOME:-not set}), the PATH, /usr/lib/jvm, update-alternatives and SDKMAN."
    say "Install one: your distribution's openjdk-$JAVA_REQUIRED-jdk, Eclipse Temurin $JAVA_REQUIRED (adoptium.net), or"
    say "'sdk install java $JAVA_REQUIRED-tem' (sdkman.io). If it is somewhere else, set JAVA_HOME to it."
    exit 1
}

# --- what the machine must have ----------------------------------------------------------------------------------

# Of this system, or of one in a root beside it: apt-get update does not wait for another.
APT_LOCK=/var/lib/dpkg

# install_packages PACKAGE...: Debian and its relatives only; the caller has told others what they need.
install_packages() {
    local sudo=() log
    if ((EUID != 0)); then
        have sudo || die "not root and no sudo: ask for these packages to be installed: $*"
        sudo=(sudo)
    fi
    say "Installing Debian packages: $*"
    log=$(mktemp)
    if ! "${sudo[@]}" flock "$APT_LOCK" apt-get update -qq >"$log" 2>&1; then
        say "apt-get update failed; trying with the package lists that are here."
    fi
    if ! "${sudo[@]}" flock "$APT_LOCK" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
            --no-install-recommends -o DPkg::Lock::Timeout=120 "$@" >>"$log" 2>&1; then
        tail -20 "$log" >&2
        rm -f "$log"
        die "could not install: $*"
    fi
    rm -f "$log"
}

have_library() { # by soname, where the dynamic linker would find it
    local dir dirs
    IFS=: read -ra dirs <<<"${LD_LIBRARY_PATH:-}"
    for dir in "${dirs[@]}"; do
        [[ ! -e $dir/$1 ]] || return 0
    done
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -F "$1 " >/dev/null
}

# shellcheck disable=SC2120 # its callers are other files
need_libfabric() {
    local missing=()
    # of one that is named jfabric itself says whether it is there
    [[ ${JFABRIC_LIBRARY:-} || ${JFABRIC_JAVA_OPTS:-} == *-Djfabric.library=* ]] || have_library libfabric.so.1 || missing+=(libfabric1 libfabric-bin)
    if [[ ${1:-} == tests ]]; then
        have fi_info && have fi_pingpong || missing+=(libfabric-bin)
        have gcc || missing+=(gcc libc6-dev)
        have gcc && echo '#include <rdma/fabric.h>' | gcc -E -x c - >/dev/null 2>&1 || missing+=(libfabric-dev)
        have ip || missing+=(iproute2)
        have gcc && echo '#include <rdma/rdma_cma.h>' | gcc -E -x c - >/dev/null 2>&1 || missing+=(librdmacm-dev)
    fi
    ((${#missing[@]})) || return 0
    if ! have apt-get; then
        say "libfabric, or something that the tests need beside it, is missing here. Install it, for example:"
        say "  Fedora, RHEL, Rocky   dnf install libfabric libfabric-devel rdma-core-devel gcc iproute"
        say "  openSUSE, SLES        zypper install libfabric1 libfabric libfabric-devel rdma-core-devel gcc iproute2"
        say "  without root          spack install libfabric && spack load libfabric"
        say "On a cluster there may be one already: try 'module avail libfabric', or add its directory to LD_LIBRARY_PATH."
        exit 1
    fi
    install_packages "${missing[@]}"
}

need_ip() {
    have ip && return
    have apt-get || die "ip is missing: install the 'iproute2' package, or 'iproute'."
    install_packages iproute2
}

need_maven() {
    have mvn && return
    have apt-get || die "Apache Maven (mvn, 3.6.3 or newer) is missing: install the 'maven' package."
    install_packages maven
}

# --- build -------------------------------------------------------------------------------------------------------

# One line per module on stderr, everything in the log.
progress() {
    local line
    while IFS= read -r line; do
        if [[ $line =~ Building\ (jfabric.*[^ ])\ +\[([0-9]+/[0-9]+)\] ]]; then
            say "  [${BASH_REMATCH[2]}] ${BASH_REMATCH[1]} (${SECONDS} s)"
        fi
    done
}

# Not in target, which Maven's clean removes.
build_lock() {
    local file=$ROOT/.git/jfabric-build-lock
    if [[ ! -d $ROOT/.git || ! -w $ROOT/.git ]]; then
        file=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/jfabric/build-lock-$(cksum <<<"$ROOT" | tr ' ' -)
        mkdir -p "${file%/*}"
    fi
    printf '%s' "$file"
}

# In a subshell. What the command starts, such as the scripts that tests run, does not wait for it.
with_build_lock() {
    local file
    if ! have flock; then
        ("$@")
        return
    fi
    file=$(build_lock)
    # scripts that tests start have a lock among themselves
    [[ ${JFABRIC_BUILD_LOCKED:-} != "$ROOT" ]] || file+=-inside
    (
        flock -n 9 || { say "Waiting for another process, which builds in $ROOT"; flock 9; }
        export JFABRIC_BUILD_LOCKED=$ROOT
        # what stays behind has not got it
        "$@" 9>&-
        exit
    ) 9>"$file"
}

stamp_of() { printf '%s' "$ROOT/$1/target/.built"; }

up_to_date() {
    local stamp
    stamp=$(stamp_of "$1")
    [[ -e $stamp ]] || return 1
    # Directories count: theirs is the time that changes when a file is deleted.
    [[ -z $(find "$ROOT"/pom.xml "$ROOT"/{jfabric-bindings,jfabric-core,jfabric-launch,"$1"}/pom.xml \
        "$ROOT"/{jfabric-bindings,jfabric-core,jfabric-launch,"$1"}/src/main -newer "$stamp" -print -quit) ]]
}

build() {
    local module=$1
    up_to_date "$module" && return
    mkdir -p "$ROOT/target" 2>/dev/null && [[ -w $ROOT/target ]] ||
        die "$module is not built or out of date, and $(id -un) may not write to $ROOT"
    need_maven
    with_build_lock build_now "$module"
}

build_now() {
    local module=$1 log=$ROOT/target/build.log start=$ROOT/target/.build-start
    # whoever had the lock may have built it, or have removed target
    up_to_date "$module" && return
    mkdir -p "$ROOT/target"
    # Sources saved while Maven runs are newer than this, hence built next time.
    touch "$start"
    SECONDS=0
    say "Building $module (log: $log)"
    cd "$ROOT"
    if ! mvn -B -Dmaven.test.skip=true -Dcheckstyle.skip=true -pl "$module" -am package 2>&1 \
            | tee "$log" | progress; then
        say "The build failed. The end of $log:"
        grep -E '^\[(ERROR|WARNING)\]|\.java:' "$log" | tail -40 >&2 || true
        exit 1
    fi
    mv "$start" "$(stamp_of "$module")"
    say "Built in $SECONDS s."
}

# --- run ---------------------------------------------------------------------------------------------------------

# UseSystemMemoryBarrier makes each call into libfabric some nanoseconds cheaper.
jvm_flags() {
    printf '%s\n' --enable-native-access=ALL-UNNAMED -XX:+UseSystemMemoryBarrier
}

# More JVM flags can be given in JFABRIC_JAVA_OPTS.
run_example() {
    local flags extra lib=$ROOT/jfabric-examples/target
    # shellcheck disable=SC2119
    need_libfabric
    build jfabric-examples
    mapfile -t flags < <(jvm_flags)
    read -ra extra <<<"${JFABRIC_JAVA_OPTS:-}"
    exec "$JAVA_HOME/bin/java" "${flags[@]}" "${extra[@]}" -cp "$lib/classes:$lib/lib/*" "$@"
}

# An AOT cache (JEP 514) halves the time that a JVM needs to start: prints its name, or nothing if it cannot be had.
# It is made by a run of the program, $1, when there is none for this JDK or the jars have changed; what fails there
# only costs time, and is tried again after the next build. The class path is $2, the flags of the JVM are the others.
aot_cache() {
    local run=$1 path=$2 jdk dir=$ROOT/jfabric-examples/target/aot cache jar jars
    shift 2
    jdk=$(cksum <"$JAVA_HOME/release" 2>/dev/null) || return 0
    cache=$dir/${run%% *}-${jdk%% *}.aot
    IFS=: read -ra jars <<<"$path"
    for jar in "${jars[@]}"; do
        if [[ $cache -nt $jar ]]; then
            continue
        fi
        mkdir -p "$dir" 2>/dev/null && [[ -w $dir ]] || return 0
        say "Preparing a fast start (once per build)"
        # Under a name of its own until it is complete: another process may do the same. An empty one means "failed".
        # shellcheck disable=SC2086 # the class and its arguments
        timeout 60 "$JAVA_HOME/bin/java" "$@" -XX:AOTCacheOutput="$cache.$$" -cp "$path" $run \
            </dev/null >/dev/null 2>&1 || true
        [[ -s $cache.$$ ]] || : >"$cache.$$"
        rm -f "$cache.$$".*
        mv -f "$cache.$$" "$cache"
        break
    done
    [[ ! -s $cache ]] || printf '%s' "$cache"
}

run_tool() {
    local run=$1 flags extra=() fast cache target=$ROOT/jfabric-examples/target path
    shift
    while [[ $1 != -- ]]; do
        extra+=("$1")
        shift
    done
    shift
    # shellcheck disable=SC2119
    need_libfabric
    build jfabric-examples
    # An AOT cache needs jars, always in the same order.
    path=$(printf '%s:' "$target"/jfabric-examples-*.jar "$target"/lib/*.jar)
    path=${path%:}
    mapfile -t flags < <(jvm_flags)
    # Flags of the user's may not go together with these, nor with the cache.
    if [[ ${JFABRIC_JAVA_OPTS:-} ]]; then
        read -ra fast <<<"$JFABRIC_JAVA_OPTS"
    else
        fast=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData)
        cache=$(aot_cache "$run" "$path" "${flags[@]}" "${fast[@]}")
        # Without logging, since the JVM complains on stdout about a cache that it cannot use.
        [[ ! $cache ]] || fast+=("-XX:AOTCache=$cache" -Xlog:disable)
    fi
    exec "$JAVA_HOME/bin/java" "${flags[@]}" "${fast[@]}" "${extra[@]}" -cp "$path" "${run%% *}" "$@"
}

find_jdk
