# shellcheck shell=bash
# A Debian 13 root outside the repository, for what needs libfabric 2.1. Sourced after common.sh.
#   debian13_root    makes it if it is not there; sets DEBIAN13 to its path and DEBIAN13_CACHE to the folder around it

debian13_root() {
    DEBIAN13_CACHE=${JFABRIC_DEBIAN13:-${XDG_CACHE_HOME:-$HOME/.cache}/jfabric/debian13}
    DEBIAN13=$DEBIAN13_CACHE/root
    [[ ! -e $DEBIAN13_CACHE/ready ]] || return 0
    ((EUID == 0)) || die "making a Debian 13 root needs root"
    have debootstrap || install_packages debootstrap
    say "Making a Debian 13 root in $DEBIAN13 (once, some minutes)"
    rm -rf "$DEBIAN13"
    mkdir -p "$DEBIAN13_CACHE"
    debootstrap --variant=minbase --include=ca-certificates,openjdk-25-jdk-headless,maven,git,gcc,libc6-dev \
        trixie "$DEBIAN13" >"$DEBIAN13_CACHE/log" 2>&1 ||
        { tail -5 "$DEBIAN13_CACHE/log" >&2; die "debootstrap failed, see $DEBIAN13_CACHE/log"; }
    touch "$DEBIAN13_CACHE/ready"
}
