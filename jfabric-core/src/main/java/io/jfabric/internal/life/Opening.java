// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ops.FidOps;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/** The only way to open an object of libfabric's: calling a constructor is not enough. */
public final class Opening {
    private static final String FILES = "the process has about as many files open as its limit allows (ulimit -n): "
            + "perhaps raise it";
    private static final Set<String> FROM_INFO = Set.of("fi_domain", "fi_domain2", "fi_endpoint", "fi_endpoint2",
            "fi_passive_ep", "fi_scalable_ep", "fi_srx_context", "fi_stx_context");
    private static final String CHANGED = "if the info was changed since getInfo gave it, it may ask for what the "
            + "provider does not have: take it as it comes, and put what you want into the hints";
    /** What a provider may have opened, and closed again, before it gave up. */
    private static final int FEW = 8;

    private Opening() {
    }

    /** One of the calls that open something from an object. */
    @FunctionalInterface
    public interface Opener {
        /** Writes the new object's address to where {@code result} says. */
        int open(long parent, long result);
    }

    /** How something is closed for which there is no object, as it could not be made. */
    @FunctionalInterface
    public interface Undoing {
        /** Returns what C answers; negative if it stays open. */
        long close(long parent, long opened);
    }

    /** Opens something and makes the object for it, before the parent can be closed. */
    public static <T extends FidObject> T of(FidObject parent, String operation, Opener opener, LongFunction<T> maker,
            String detail) {
        return of(parent, operation, opener, maker, Opening::close, detail);
    }

    /** As above, for what some providers do not close as it is. */
    public static <T extends FidObject> T of(FidObject parent, String operation, Opener opener, LongFunction<T> maker,
            Undoing undoing, String detail) {
        return parent.call(handle -> of(parent, handle, open(handle, operation, opener, detail), maker, undoing));
    }

    private static long close(long parent, long opened) {
        return FidOps.close(opened);
    }

    /** Closes what nobody else knows of. False if it stays open. */
    private static boolean isUndone(FidObject object, Undoing undoing, long parent, long opened) {
        long result = -1;
        try {
            result = undoing.close(parent, opened);
        } catch (RuntimeException | Error again) {
            // what has failed before is thrown
        }
        if (object != null) {
            try {
                object.gone(opened);
                object.closed();
            } catch (RuntimeException | Error again) {
                // its memory is that of the heap
            }
        }
        return result >= 0;
    }

    /** For callers that are inside the parent: the address of what is opened. */
    public static long open(long parent, String operation, Opener opener, String detail) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            int code = opener.open(parent, result.address());
            String remedy = remedy(operation, code);
            Results.check(operation, code, remedy == null ? detail : (detail == null ? "" : detail + "; ") + remedy);
            long opened = result.get(ValueLayout.JAVA_LONG, 0);
            if (opened == 0) {
                throw FabricException.of(operation, Errno.ENODATA, (detail == null ? "" : detail + "; ")
                        + "libfabric opened nothing, without an error: the provider may lack one that it is built on; "
                        + "if FI_PROVIDER is set, unset it");
            }
            return opened;
        }
    }

    private static String remedy(String operation, int code) {
        return switch (-code) {
            case Errno.EIO -> lacksFiles() ? FILES : null;
            case Errno.ENODATA -> FROM_INFO.contains(operation) ? CHANGED : null;
            default -> null;
        };
    }

    /** Some providers do not say that they met the limit. */
    private static boolean lacksFiles() {
        String[] open = new File("/proc/self/fd").list();
        try (Stream<String> limits = Files.lines(Path.of("/proc/self/limits"))) {
            return limits.anyMatch(line -> line.matches("Max open files\\s+\\d.*")
                    && (open == null || Long.parseLong(line.split("\\s{2,}")[1]) - open.length < FEW));
        } catch (IOException | UncheckedIOException unreadable) {
            return Files.isDirectory(Path.of("/proc/self"));
        }
    }

    /**
     * Makes the object for what C has opened. Once it is complete, other threads see it in the tree, and closers of its
     * parent find it; the caller is inside the parent until then, so that they wait.
     *
     * @param maker gets the address, and calls the constructor
     */
    public static <T extends FidObject> T of(long fid, LongFunction<T> maker) {
        return of(null, 0, fid, maker, Opening::close);
    }

    private static <T extends FidObject> T of(FidObject parent, long handle, long fid, LongFunction<T> maker,
            Undoing undoing) {
        T object = null;
        boolean isDone = false;
        try {
            object = maker.apply(fid);
            object.list();
            isDone = true;
            return object;
        } finally {
            if (!isDone && !isUndone(object, undoing, handle, fid) && parent != null) {
                // the provider still counts it
                parent.keepsLost = true;
            }
        }
    }
}
