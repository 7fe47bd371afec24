# shellcheck shell=bash
# For scripts that run tests; sourced after common.sh.
#   use_library PATH     this libfabric.so.1, with the headers and tools that lie beside it; remove $chosen in the end
#   library_asked "$@"   that of --library PATH, which is all there may be; else what is installed
#   build_tests          compiles the tests of jfabric-core
#   test_java [FLAG...] CLASS [ARGUMENT...]
#                        runs a class of them
chosen=

# By the search path, so that the C programs and the child processes of tests load it too.
use_library() {
    local file prefix
    [[ -r $1 && ! -d $1 ]] || die "the library $1 is not a file that can be read"
    file=$(realpath "$1")
    prefix=$(dirname "$(dirname "$(realpath -s "$1")")")
    chosen=$(mktemp -d)
    ln -s "$file" "$chosen/libfabric.so.1"
    ln -s "$file" "$chosen/libfabric.so"
    export LD_LIBRARY_PATH=$chosen:$(dirname "$file")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LIBRARY_PATH=$chosen${LIBRARY_PATH:+:$LIBRARY_PATH}
    unset JFABRIC_LIBRARY
    if [[ -x $prefix/bin/fi_info ]]; then
        export PATH=$prefix/bin:$PATH
    fi
    if [[ -r $prefix/include/rdma/fabric.h ]]; then
        export C_INCLUDE_PATH=$prefix/include${C_INCLUDE_PATH:+:$C_INCLUDE_PATH}
        say "Headers: $prefix/include"
    else
        say "Headers: the machine's, which may be of another release"
    fi
    say "Library: $file"
}

library_asked() {
    case ${1:-} in
        '') need_libfabric tests ;;
        --library)
            needs_value "$@"
            takes_most 2 "$@"
            use_library "$2"
            ;;
        *) refuse "unknown argument $1" ;;
    esac
}

build_tests() {
    local log=$ROOT/target/build-tests.log maven=(-B -Dcheckstyle.skip=true -pl jfabric-core -am test-compile
        dependency:copy-dependencies -DincludeScope=test -DexcludeGroupIds=io.jfabric -DoutputDirectory=target/test-lib)
    need_maven
    say "Building the tests (log: $log)"
    compile_tests() {
        cd "$ROOT" && mkdir -p target && { mvn -o "${maven[@]}" || mvn "${maven[@]}"; } >"$log" 2>&1
    }
    with_build_lock compile_tests || { tail -20 "$log" >&2; die "building the tests failed"; }
}

# The directory is that of Maven's test runs: what a crash leaves behind is in target.
test_java() {
    local flags
    mapfile -t flags < <(jvm_flags)
    (cd "$ROOT/jfabric-core" && exec "$JAVA_HOME/bin/java" "${flags[@]}" -XX:TieredStopAtLevel=1 -cp "$(
        )target/test-classes:target/classes:../jfabric-bindings/target/classes:target/test-lib/*" "$@")
}
