// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.library;

import io.jfabric.bindings.fi_info;
import io.jfabric.internal.ffi.Downcall;
import io.jfabric.internal.ffi.DynamicLoader;
import io.jfabric.internal.ffi.LinkAhead;
import io.jfabric.internal.ffi.Log;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Finds and loads {@code libfabric.so.1}, once per process. */
public final class NativeLibrary {
    /** System property that names the library to load. */
    public static final String PROPERTY = "jfabric.library";
    /** Environment variable that names the library to load, when the property is not set. */
    public static final String VARIABLE = "JFABRIC_LIBRARY";
    /** What property and variable name the bundle with, instead of a file. */
    private static final String BUNDLED = "bundled";
    private static final String SONAME = "libfabric.so.1";
    private static final List<String> SITES = List.of(
            "/opt/amazon/efa/lib64", "/opt/amazon/efa/lib", "/opt/cray/libfabric/default/lib64",
            "/opt/cray/lib64", "/opt/libfabric/lib", "/opt/libfabric/lib64",
            "/usr/local/lib", "/usr/local/lib64",
            "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib");
    /** The oldest release that jfabric is tested with. */
    private static final int OLDEST = code(1, 17);
    /** The release whose headers the bindings were generated from. */
    private static final int HEADERS = code(2, 1);
    private static final Log LOG = Log.of("io.jfabric.Fabric");

    private final long handle;
    private final String path;
    private final int version;
    private final String failure;
    private final Throwable cause;

    private NativeLibrary(long handle, String path, int version, String failure, Throwable cause) {
        this.handle = handle;
        this.path = path;
        this.version = version;
        this.failure = failure;
        this.cause = cause;
    }

    private static final class Holder {
        static final NativeLibrary LOADED = load();
    }

    /** Why no usable library was found; null when there is one. */
    public static UnsatisfiedLinkError unavailabilityCause() {
        NativeLibrary it = Holder.LOADED;
        if (it.failure == null) {
            return null;
        }
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(it.failure);
        error.initCause(it.cause);
        return error;
    }

    /**
     * Call this first wherever a user comes in: it throws the same full explanation every time, where a class that
     * failed to initialise would say so only once.
     */
    public static NativeLibrary require() {
        UnsatisfiedLinkError missing = unavailabilityCause();
        if (missing != null) {
            throw missing;
        }
        return Holder.LOADED;
    }

    /** A release as C writes it ({@code FI_VERSION}). */
    public static int code(int major, int minor) {
        return major << 16 | minor;
    }

    private static String text(int code) {
        return (code >>> 16) + "." + (code & 0xFFFF);
    }

    /** The release of the loaded library ({@code fi_version}). */
    public static int version() {
        return require().version;
    }

    /** The API version to ask for: what both the headers and the library know. */
    public static int apiVersion() {
        return Math.min(version(), HEADERS);
    }

    /** Whether the loaded library is at least of this release; true for what every supported release has. */
    public static boolean knows(int since) {
        return since <= OLDEST || version() >= since;
    }

    /** The file that was loaded, or the name where the system does not tell. */
    public static String path() {
        return require().path;
    }

    /** The address of an exported function; 0 when this release has none of that name. */
    static long symbol(String name) {
        return DynamicLoader.symbol(require().handle, name);
    }

    private static NativeLibrary load() {
        String os = System.getProperty("os.name", "");
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        if (!os.equals("Linux") || !List.of("amd64", "x86_64", "aarch64").contains(arch)) {
            return failed("jfabric runs on 64-bit Linux (x86_64, aarch64), this is " + os + " on " + arch, null);
        }
        try {
            // a denied restricted method must not surface as an ExceptionInInitializerError of some later class
            Downcall.ofVoid(Downcall.L);
            fi_info.sizeof();
            Signals.refuseHandlers();
            return Signals.keep(NativeLibrary::search);
        } catch (IllegalCallerException | ExceptionInInitializerError | NoClassDefFoundError denied) {
            return failed("native access is denied to jfabric; start java with " + nativeAccessFlag(), denied);
        }
    }

    private static String nativeAccessFlag() {
        // the generated layouts are in a module of their own and make restricted calls too
        return "--enable-native-access="
                + (NativeLibrary.class.getModule().isNamed() ? "io.jfabric,io.jfabric.bindings" : "ALL-UNNAMED");
    }

    private static NativeLibrary search() {
        LinkAhead.start();
        List<String> reasons = new ArrayList<>();
        String named = named();
        if (!named.equals(BUNDLED)) {
            for (String candidate : candidates(named)) {
                NativeLibrary found = open(candidate, reasons);
                if (found != null) {
                    return found;
                }
            }
        }
        NativeLibrary found = named.isEmpty() || named.equals(BUNDLED) ? bundled(reasons) : null;
        return found != null ? found : failed("""
                libfabric was not found, or cannot be used. Tried, in this order:
                  %s
                %sInstall it (Debian, Ubuntu: apt install libfabric1; Fedora, RHEL: dnf install libfabric; \
                SUSE: zypper install libfabric1; Spack: spack install libfabric) \
                or name %s with -D%s=/path/to/%s or %s=/path/to/%s in the environment, \
                or add to the class path a jar that scripts/bundle-native made on a machine that has it."""
                .formatted(String.join("\n  ", reasons), whyNoOther(named), named.isEmpty() ? "it" : "another",
                        PROPERTY, SONAME, VARIABLE, SONAME), null);
    }

    private static String whyNoOther(String named) {
        return named.isEmpty() ? "" : "Nothing else was tried, because of " + (isByProperty() ? "-D" + PROPERTY
                : VARIABLE + " in the environment") + ", which says \"" + named + "\": correct it, or leave it out.\n";
    }

    private static NativeLibrary open(String candidate, List<String> reasons) {
        long handle = DynamicLoader.open(candidate);
        if (handle == 0) {
            reasons.add(candidate + ": " + DynamicLoader.error());
            return null;
        }
        long inside = DynamicLoader.symbol(handle, "fi_getinfo");
        if (inside == 0) {
            reasons.add(candidate + ": not libfabric (it has no fi_getinfo)");
            return null;
        }
        int version = Exports.version(DynamicLoader.symbol(handle, "fi_version"));
        if (version < OLDEST) {
            reasons.add(candidate + ": is libfabric " + text(version) + ", jfabric needs " + text(OLDEST)
                    + " or newer");
            return null;
        }
        String file = file(candidate, inside);
        LOG.debug("jfabric {} loaded libfabric {} from {}", Release.text(), text(version), file);
        return new NativeLibrary(handle, file, version, null, null);
    }

    /** The file that was really loaded: if there are several, a name or a link does not tell which it is. */
    private static String file(String candidate, long inside) {
        String loaded = DynamicLoader.fileAt(inside);
        try {
            return loaded == null ? candidate : Path.of(loaded).toRealPath().toString();
        } catch (IOException | InvalidPathException unknown) {
            // gone, or not to be written in the locale of this JVM
            return loaded;
        }
    }

    // What is loaded already satisfies those that need it, by its soname: no LD_LIBRARY_PATH has to name the directory.
    private static NativeLibrary bundled(List<String> reasons) {
        try {
            BundledLibrary bundle = BundledLibrary.find();
            if (bundle == null) {
                reasons.add(BundledLibrary.resource() + ": not on the class path");
                return null;
            }
            List<Path> files = bundle.extract();
            for (Path file : files) {
                if (DynamicLoader.open(file.toString()) == 0) {
                    reasons.add(file + ": " + DynamicLoader.error() + "; if it lies where nothing may be executed "
                            + "(noexec)" + PrivateDirectory.remedy());
                    return null;
                }
            }
            return open(files.getLast().toString(), reasons);
        } catch (IOException | UnsupportedOperationException | InvalidPathException e) {
            reasons.add(BundledLibrary.resource() + ": " + e.getMessage());
            return null;
        }
    }

    private static String named() {
        String named = isByProperty() ? System.getProperty(PROPERTY) : System.getenv(VARIABLE);
        return named == null ? "" : named;
    }

    private static boolean isByProperty() {
        return !System.getProperty(PROPERTY, "").isEmpty();
    }

    // A library that was named is the only candidate: quietly loading another one would hide the mistake.
    private static List<String> candidates(String named) {
        if (!named.isEmpty()) {
            return List.of(named);
        }
        return Stream.concat(Stream.of(SONAME), SITES.stream().map(dir -> dir + "/" + SONAME)).toList();
    }

    private static NativeLibrary failed(String message, Throwable cause) {
        return new NativeLibrary(0, null, 0, message, cause);
    }
}
