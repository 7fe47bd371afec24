# shellcheck shell=bash
# A Debian 13 root outside the repository, for what needs libfabric 2.1 or UCX 1.18. Sourced after common.sh.
#   debian13_root            makes it if it is not there; sets DEBIAN13 to its path, DEBIAN13_CACHE to the folder around it
#   debian13_lock NAME       until the script ends, nobody else has /root/NAME in the root, or NAME beside it; waits for
#                            who has
#   debian13_mirror          prints where its packages come from
#   debian13_clone NAME      locks it, and brings a clone of what is committed to /root/NAME in the root
#   debian13_run NAME CMD... runs a command in that clone, with this host's network, Maven repository and a fresh /dev/shm

debian13_root() {
    local lock
    DEBIAN13_CACHE=${JFABRIC_DEBIAN13:-${XDG_CACHE_HOME:-$HOME/.cache}/jfabric/debian13}
    DEBIAN13=$DEBIAN13_CACHE/root
    [[ ! -e $DEBIAN13_CACHE/ready ]] || return 0
    ((EUID == 0)) || die "a Debian 13 root needs root: debootstrap, mount and chroot do"
    have debootstrap || install_packages debootstrap
    mkdir -p "$DEBIAN13_CACHE"
    exec {lock}>"$DEBIAN13_CACHE/lock"
    flock -n "$lock" || { say "Waiting for another process, which makes a Debian 13 root"; flock "$lock"; }
    if [[ -e $DEBIAN13_CACHE/ready ]]; then
        exec {lock}>&-
        return
    fi
    say "Making a Debian 13 root in $DEBIAN13 (once, some minutes)"
    rm -rf "$DEBIAN13"
    debootstrap --variant=minbase --include=ca-certificates,openjdk-25-jdk-headless,maven,git,gcc,libc6-dev \
        trixie "$DEBIAN13" >"$DEBIAN13_CACHE/log" 2>&1 ||
        { tail -5 "$DEBIAN13_CACHE/log" >&2; die "debootstrap failed, see $DEBIAN13_CACHE/log"; }
    touch "$DEBIAN13_CACHE/ready"
    exec {lock}>&-
}

# What runs in there has the lock, too: it may go on when the script is killed.
declare -A DEBIAN13_LOCKS=()
debian13_lock() {
    local lock
    [[ ! ${DEBIAN13_LOCKS[$1]:-} ]] || return 0
    exec {lock}>"$DEBIAN13_CACHE/lock-$1"
    flock -n "$lock" || { say "Waiting for another process, which uses $1 in $DEBIAN13_CACHE"; flock "$lock"; }
    DEBIAN13_LOCKS[$1]=$lock
}

debian13_mirror() {
    local mirror
    # either format of apt's; one of the two files is missing
    mirror=$(cat "$DEBIAN13"/etc/apt/sources.list "$DEBIAN13"/etc/apt/sources.list.d/*.sources 2>/dev/null |
        sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\).*/\2/p' | sed -n 1p) || true
    [[ $mirror ]] || die "no package source in $DEBIAN13/etc/apt"
    printf '%s' "$mirror"
}

# What has been built there stays, unless its sources change.
debian13_clone() {
    local clone=$DEBIAN13/root/$1
    debian13_lock "$1"
    [[ -e $clone/.git ]] || git init -q "$clone"
    git -C "$clone" fetch -q --force "$ROOT" HEAD
    git -C "$clone" checkout -q --force --detach FETCH_HEAD
}

debian13_run() {
    local name=$1
    shift
    mkdir -p "$HOME/.m2" "$DEBIAN13/root/.m2"
    cp -L /etc/resolv.conf /etc/hosts "$DEBIAN13/etc/"
    # In a mount namespace of its own: what is mounted here is gone when the command ends, however it ends.
    # shellcheck disable=SC2016 # for the inner shell
    unshare --mount --propagation private bash -euc '
        root=$1 m2=$2 name=$3
        shift 3
        mount --bind "$root" "$root" # ip netns looks for a mount point at /
        mount -t proc proc "$root/proc"
        mount -t sysfs sysfs "$root/sys"
        mount --bind /dev "$root/dev"
        mount -t tmpfs tmpfs "$root/dev/shm"
        mount --bind "$m2" "$root/root/.m2"
        exec chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
            ${CI:+CI="$CI"} ${JFABRIC_JAVA_OPTS:+JFABRIC_JAVA_OPTS="$JFABRIC_JAVA_OPTS"} \
            bash -c '\''cd "/root/$0" && exec "$@"'\'' "$name" "$@"
    ' debian13 "$DEBIAN13" "$HOME/.m2" "$name" "$@"
}
