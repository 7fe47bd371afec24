// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.bindings.rdmacm.rdma_addrinfo;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds and loads {@code librdmacm.so.1}, once per process, and calls it. */
final class RdmaLibrary {
    /** System property that names the library to load. */
    static final String PROPERTY = "jfabric.rdmacm";
    /** Environment variable that names the library to load, when the property is not set. */
    static final String VARIABLE = "JFABRIC_RDMACM";
    private static final String SONAME = "librdmacm.so.1";
    private static final List<String> SITES = List.of("/usr/local/lib", "/usr/local/lib64",
            "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib");
    private static final int RTLD_LAZY = 1;
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    /** Null, as the next, without a library. */
    private final @Nullable MethodHandle resolve;
    private final @Nullable MethodHandle free;
    private final boolean knowsSa;
    private final @Nullable String failure;
    private final @Nullable Throwable cause;

    private RdmaLibrary(@Nullable MethodHandle resolve, @Nullable MethodHandle free, boolean knowsSa,
            @Nullable String failure, @Nullable Throwable cause) {
        this.resolve = resolve;
        this.free = free;
        this.knowsSa = knowsSa;
        this.failure = failure;
        this.cause = cause;
    }

    private static final class Holder {
        static final RdmaLibrary LOADED = load();
    }

    /** Only the C library's, which are always there. */
    private static final class C {
        static final MethodHandle DLOPEN = bound("dlopen", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT));
        static final MethodHandle DLSYM = bound("dlsym", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
        static final MethodHandle DLERROR = bound("dlerror", FunctionDescriptor.of(JAVA_LONG));
        static final MethodHandle STRERROR = bound("strerror", FunctionDescriptor.of(JAVA_LONG, JAVA_INT));
        static final MethodHandle GAI_STRERROR = bound("gai_strerror", FunctionDescriptor.of(JAVA_LONG, JAVA_INT));

        private static MethodHandle bound(String name, FunctionDescriptor type) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
        }
    }

    /** Why the library cannot be used; null if it can. */
    static @Nullable UnsatisfiedLinkError unavailabilityCause() {
        RdmaLibrary it = Holder.LOADED;
        if (it.failure == null) {
            return null;
        }
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(it.failure);
        error.initCause(it.cause);
        return error;
    }

    /** Throws the same full explanation every time, where a class that failed to initialise would say so only once. */
    static RdmaLibrary require() {
        UnsatisfiedLinkError missing = unavailabilityCause();
        if (missing != null) {
            throw missing;
        }
        return Holder.LOADED;
    }

    /** Whether {@code RAI_SA} and {@code RAI_DNS} mean something; they came together with another function. */
    boolean knowsSa() {
        return knowsSa;
    }

    /** What {@code rdma_getaddrinfo} returned, and errno. */
    record Outcome(int result, int errno, long list) {
    }

    /** {@code rdma_getaddrinfo}; any argument may be 0. */
    Outcome resolve(long node, long service, long hints) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            MemorySegment list = arena.allocate(JAVA_LONG);
            int result = (int) resolve.invokeExact(state, node, service, hints, list.address());
            return new Outcome(result, (int) ERRNO.get(state, 0L), list.get(JAVA_LONG, 0));
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** {@code rdma_freeaddrinfo}: the entry and all that follow it. */
    void free(long list) {
        try {
            free.invokeExact(list);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** The C library's text for errno. */
    static @Nullable String errorText(int errno) {
        try {
            return string((long) C.STRERROR.invokeExact(errno));
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** The C library's text for an {@code EAI_} code. */
    static @Nullable String resolutionText(int code) {
        try {
            return string((long) C.GAI_STRERROR.invokeExact(code));
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** The text at an address; null for 0. */
    static @Nullable String string(long address) {
        return address == 0 ? null : MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
    }

    private static RdmaLibrary load() {
        try {
            // a denied restricted method must not surface as an ExceptionInInitializerError of some later class
            rdma_addrinfo.sizeof();
            return search();
        } catch (IllegalCallerException | ExceptionInInitializerError | NoClassDefFoundError denied) {
            return failed("native access is denied to jfabric; start java with --enable-native-access="
                    + (RdmaLibrary.class.getModule().isNamed() ? "io.jfabric.rdmacm,io.jfabric,io.jfabric.bindings"
                    : "ALL-UNNAMED"), denied);
        }
    }

    private static RdmaLibrary search() {
        List<String> reasons = new ArrayList<>();
        for (String candidate : candidates()) {
            long library = open(candidate);
            if (library == 0) {
                reasons.add(candidate + ": " + openError());
                continue;
            }
            long resolve = symbol(library, "rdma_getaddrinfo");
            long free = symbol(library, "rdma_freeaddrinfo");
            if (resolve == 0 || free == 0) {
                reasons.add(candidate + ": not librdmacm (it has no rdma_getaddrinfo)");
                continue;
            }
            return new RdmaLibrary(handle(resolve, FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG), Linker.Option.captureCallState("errno")),
                    handle(free, FunctionDescriptor.ofVoid(JAVA_LONG)),
                    symbol(library, "rdma_resolve_addrinfo") != 0, null, null);
        }
        return failed("""
                librdmacm was not found. Tried, in this order:
                  %s
                Install it (Debian, Ubuntu: apt install librdmacm1; Fedora, RHEL: dnf install librdmacm; \
                SUSE: zypper install librdmacm1) \
                or name it with -D%s=/path/to/%s or %s=/path/to/%s in the environment."""
                .formatted(String.join("\n  ", reasons), PROPERTY, SONAME, VARIABLE, SONAME), null);
    }

    // A library that was named is the only candidate: quietly loading another one would hide the mistake.
    private static List<String> candidates() {
        String named = System.getProperty(PROPERTY);
        if (named == null || named.isEmpty()) {
            named = System.getenv(VARIABLE);
        }
        if (named != null && !named.isEmpty()) {
            return List.of(named);
        }
        return Stream.concat(Stream.of(SONAME), SITES.stream().map(dir -> dir + "/" + SONAME)).toList();
    }

    private static RdmaLibrary failed(String message, @Nullable Throwable cause) {
        return new RdmaLibrary(null, null, false, message, cause);
    }

    private static MethodHandle handle(long address, FunctionDescriptor type, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(MemorySegment.ofAddress(address), type, options);
    }

    private static long open(String path) {
        if (path.indexOf('\0') >= 0) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            return (long) C.DLOPEN.invokeExact(arena.allocateFrom(path).address(), RTLD_LAZY);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static String openError() {
        try {
            String text = string((long) C.DLERROR.invokeExact());
            return text == null ? "unknown reason" : text;
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static long symbol(long library, String name) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) C.DLSYM.invokeExact(library, arena.allocateFrom(name).address());
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** A downcall declares {@code Throwable} but only ever throws unchecked. */
    private static AssertionError unexpected(Throwable t) {
        if (t instanceof RuntimeException e) {
            throw e;
        }
        if (t instanceof Error e) {
            throw e;
        }
        return new AssertionError("a downcall threw a checked exception", t);
    }
}
