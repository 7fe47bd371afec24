# shellcheck shell=bash
# Runs what compares Java with C, on this system or in the Debian 13 root. Sourced after common.sh.
#   bench_build                       packages jfabric-bench, and has C take the library that JFABRIC_LIBRARY names
#   bench_here CLASS ARG...           compiles the C program and runs CLASS with it as its first argument
#   bench_script CLASS ARG...         a script of the two: --help, build, here or with --debian13 there
#   bench_there CLASS ARG...          the same, as root, on Debian 13 and its libfabric 2.1: copies the jar and the C
#                                     sources there, and brings back what --json, --svg and --publish name
# JFABRIC_JAVA_OPTS adds JVM flags, to all processes that measure.

# shellcheck source=scripts/lib/tests.sh
. "$ROOT/scripts/lib/tests.sh"

BENCH_THERE=bench

bench_end() {
    end_child
    [[ ! $chosen ]] || rm -rf "$chosen"
}
trap bench_end EXIT

bench_build() {
    # C would run on another library than Java
    [[ ${JFABRIC_JAVA_OPTS:-} != *-Djfabric.library=* ]] ||
        die "JFABRIC_JAVA_OPTS: C does not know -Djfabric.library; name the library in JFABRIC_LIBRARY"
    [[ ! ${JFABRIC_LIBRARY:-} ]] || use_library "$JFABRIC_LIBRARY"
    need_libfabric tests
    build jfabric-bench
}

# Sets BENCH_COMMAND to what runs CLASS in folder $1, which has the jar and the C program.
bench_command() {
    local folder=$1 java=$2 class=$3 flags
    shift 3
    mapfile -t flags < <(jvm_flags)
    BENCH_COMMAND=("$java" "${flags[@]}" -Dbench.flags="${flags[*]} ${JFABRIC_JAVA_OPTS:-}"
        -cp "$folder/benchmarks.jar" "io.jfabric.bench.$class" "$folder/bench-c" "$@")
}

bench_here() {
    local target=$ROOT/jfabric-bench/target
    # who asks for the status of a function has it go on after a failure, with the program of before
    rm -f "$target/bench-c"
    gcc -O2 -Wall -Wextra -o "$target/bench-c" "$ROOT"/jfabric-bench/src/main/c/*.c -lfabric -lpthread ||
        die "the C program cannot be built"
    bench_command "$target" "$JAVA_HOME/bin/java" "$@"
    run_child "${BENCH_COMMAND[@]}"
}

bench_there() {
    local class=$1 args=() to=() there i status=0
    # shellcheck source=scripts/lib/debian13.sh
    . "$ROOT/scripts/lib/debian13.sh"
    debian13_root
    debian13_lock "$BENCH_THERE"
    shift
    there=$DEBIAN13/root/$BENCH_THERE
    rm -rf "$there"
    mkdir -p "$there"
    cp -r "$ROOT/jfabric-bench/target/benchmarks.jar" "$ROOT/jfabric-bench/src/main/c" "$there/" ||
        die "the programs cannot be brought to $there"
    while (($#)); do
        args+=("$1")
        case $1 in
            --json | --svg | --publish)
                args+=("out-${#to[@]}")
                if [[ $1 == --publish ]]; then
                    mkdir "$there/out-${#to[@]}"
                    cp -r "$2/performance.md" "$2/performance" "$there/out-${#to[@]}/"
                fi
                to+=("$2")
                shift
                ;;
        esac
        shift
    done
    bench_command . java "$class" "${args[@]}"
    # shellcheck disable=SC2016 # for the inner shell
    run_child debian13_run "$BENCH_THERE" bash -euc '
        if ! echo "#include <rdma/fabric.h>" | gcc -E -x c - >/dev/null 2>&1; then
            flock "$1" sh -c "apt-get update -qq &&
                apt-get install -y -qq --no-install-recommends libfabric1 libfabric-dev"
        fi >&2
        gcc -O2 -Wall -Wextra -o bench-c c/*.c -lfabric -lpthread
        shift
        exec "$@"' bash "$APT_LOCK" "${BENCH_COMMAND[@]}" || status=$?
    for ((i = 0; i < ${#to[@]}; i++)); do
        [[ ! -e $there/out-$i ]] || cp -rT "$there/out-$i" "${to[i]}" || status=1
    done
    return "$status"
}

# A whole script: its help is the comment at its beginning; --debian13 says where.
bench_script() {
    local class=$1 where=bench_here args=() arg
    shift
    options_known "$@"
    for arg in "$@"; do
        case $arg in
            -h | --help) show_help ;;
            --debian13) where=bench_there ;;
            *) args+=("$arg") ;;
        esac
    done
    bench_build
    "$where" "$class" "${args[@]}"
}
