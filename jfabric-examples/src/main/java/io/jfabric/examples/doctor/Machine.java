// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.doctor;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the system must let a program do: lock memory, share it, read that of others. */
final class Machine {
    private static final Pattern OF_PROCESS = Pattern.compile("(?:fi_shm_)?(\\d+)[:_].*");
    private static final long LITTLE_SHM = 256L << 20;
    private static final long FOR_A_PROCESSOR = 16L << 20;
    private static final int CAP_SYS_PTRACE = 19;

    private Machine() {
    }

    static List<Check> checks() {
        return List.of(lockedMemory(), sharedMemory(), leftovers(), hugePages(), otherProcesses(), devices());
    }

    private static Check lockedMemory() {
        String limit = Proc.line("/proc/self/limits", "Max locked memory").map(line -> line.split("\\s+")[0])
                .orElse("unknown");
        if (!limit.matches("\\d+")) {
            return Check.ok("memlock", limit);
        }
        String found = Proc.bytes(Long.parseLong(limit)) + " at most";
        return hasRdma() ? Check.warning("memlock", found, "NICs need more: 'ulimit -l unlimited' before Java starts, "
                + "LimitMEMLOCK=infinity for services, the job manager's setting on clusters")
                : Check.ok("memlock", found + " (no RDMA device here, so nothing locks any)");
    }

    private static Check sharedMemory() {
        try {
            FileStore store = Files.getFileStore(Path.of("/dev/shm"));
            long total = store.getTotalSpace();
            long free = store.getUsableSpace();
            String found = Proc.bytes(total) + ", " + Proc.bytes(free) + " free";
            if (store.isReadOnly()) {
                return Check.warning("dev-shm", found + ", read-only", "provider shm cannot make its files there");
            }
            long needed = processors() * FOR_A_PROCESSOR;
            if (free < needed) {
                return Check.warning("dev-shm", found, "provider shm is only found with some " + Proc.bytes(needed)
                        + " free: enlarge it ('docker run --shm-size=1g') or delete what dead processes left");
            }
            return total < LITTLE_SHM ? Check.warning("dev-shm", found, "enough for a few endpoints of provider shm; "
                    + "'docker run --shm-size=1g' for more") : Check.ok("dev-shm", found);
        } catch (IOException e) {
            return Check.warning("dev-shm", "/dev/shm is not there", "provider shm cannot work without it");
        }
    }

    /** All that are online, whichever of them this process may use. */
    private static long processors() {
        return Proc.lines("/proc/stat").stream().filter(line -> line.matches("cpu\\d.*")).count();
    }

    private static Check leftovers() {
        long dead = Proc.names("/dev/shm").stream().map(OF_PROCESS::matcher).filter(Matcher::matches)
                .filter(matcher -> !Files.exists(Path.of("/proc/" + matcher.group(1)))).count();
        return dead == 0 ? Check.ok("dev-shm-leftovers", "none") : Check.warning("dev-shm-leftovers", dead
                + " files whose processes are gone", "delete them; in containers that share /dev/shm but not process "
                + "ids (--pid) they may belong to the living");
    }

    private static Check hugePages() {
        String total = Proc.line("/proc/meminfo", "HugePages_Total:").orElse("0");
        String free = Proc.line("/proc/meminfo", "HugePages_Free:").orElse("0");
        String transparent = Proc.text("/sys/kernel/mm/transparent_hugepage/enabled").orElse("not there");
        return Check.ok("huge-pages", total + ", " + free + " free; transparent: " + transparent);
    }

    /** The shm provider copies large messages with process_vm_readv. */
    private static Check otherProcesses() {
        String scope = Proc.text("/proc/sys/kernel/yama/ptrace_scope").orElse("0");
        boolean privileged = Proc.line("/proc/self/status", "CapEff:")
                .map(caps -> (Long.parseUnsignedLong(caps, 16) >>> CAP_SYS_PTRACE & 1) != 0).orElse(false);
        if (scope.equals("0") || privileged) {
            return Check.ok("cma", "processes may read each other's memory"
                    + (scope.equals("0") ? "" : " (CAP_SYS_PTRACE)"));
        }
        return Check.warning("cma", "ptrace_scope is " + scope + ", and there is no CAP_SYS_PTRACE", "provider shm "
                + "copies large messages twice, and one-sided operations wait until their target's node polls: "
                + "'sysctl kernel.yama.ptrace_scope=0', in containers --cap-add=SYS_PTRACE");
    }

    private static boolean hasRdma() {
        return !Proc.names("/sys/class/infiniband").isEmpty() || !Proc.names("/sys/class/cxi").isEmpty();
    }

    private static Check devices() {
        List<String> rdma = Proc.names("/sys/class/infiniband");
        List<String> up = Proc.names("/sys/class/net").stream().filter(name -> !Proc.text("/sys/class/net/" + name
                + "/operstate").orElse("down").equals("down")).sorted().toList();
        return Check.ok("devices", "RDMA: " + (rdma.isEmpty() ? "none" : String.join(", ", rdma)) + "; networks up: "
                + (up.isEmpty() ? "none" : String.join(", ", up)));
    }
}
