// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.FabricException;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_domain_attr;
import io.jfabric.bindings.fi_fabric_attr;
import io.jfabric.bindings.fi_info;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Provider;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.CText;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.library.Exports;
import io.jfabric.internal.library.LogLevel;
import io.jfabric.internal.library.NativeLibrary;
import io.jfabric.internal.library.Signals;
import io.jfabric.internal.quirk.ProviderLinks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One call of {@code fi_getinfo}. */
public record InfoQuery(String node, String service, long flags, HintsImpl hints, long fabric, long domain) {
    /** Set before the library reads its parameters from the environment. */
    private static volatile boolean started;

    public static InfoQuery of(String node, String service, Set<GetInfoFlag> flags, HintsImpl hints) {
        long bits = 0;
        for (GetInfoFlag flag : Arguments.given(flags, "fi_getinfo", "the set of flags")) {
            bits |= Arguments.given(flag, "fi_getinfo", "a flag").code();
            Known.require("fi_getinfo", flag.nativeName(), flag.since());
        }
        return new InfoQuery(node, service, bits, hints, 0, 0);
    }

    /** Only what an open fabric offers. */
    public InfoQuery inFabric(long handle) {
        return new InfoQuery(node, service, flags, hints, handle, domain);
    }

    /** Only what an open domain offers. */
    public InfoQuery inDomain(long handle) {
        return new InfoQuery(node, service, flags, hints, fabric, handle);
    }

    /** The providers in the loaded library, also those that find no device here. */
    public static List<Provider> providers() {
        try (FabricInfoListImpl all = of(null, null, Set.of(GetInfoFlag.PROV_ATTR_ONLY), null).run()) {
            return all.stream().map(i -> new Provider(i.provider(), i.fabric().providerVersion())).toList();
        }
    }

    public static boolean started() {
        return started;
    }

    /** Call before anything with which libfabric reads its parameters. */
    public static void start() {
        if (!started) {
            LogLevel.check();
        }
        started = true;
    }

    public InfoQuery with(HintsImpl other) {
        return new InfoQuery(node, service, flags, other, fabric, domain);
    }

    public InfoQuery withNode(String other) {
        // libfabric does not accept the flag without node and service
        long left = other == null && service == null ? flags & ~Libfabric.FI_SOURCE() : flags;
        return new InfoQuery(other, service, left, hints, fabric, domain);
    }

    public InfoQuery withService(String other) {
        return new InfoQuery(node, other, flags, hints, fabric, domain);
    }

    public FabricInfoListImpl run() {
        MemorySegment head = MemorySegment.ofArray(new long[1]);
        int result = call(head);
        if (result != 0) {
            throw FabricException.of("fi_getinfo", result, result == -Errno.ENODATA || result == -Errno.ENOSYS
                    ? new NoMatch(this).explain() : null);
        }
        return new FabricInfoListImpl(head.get(ValueLayout.JAVA_LONG_UNALIGNED, 0), isComplete());
    }

    /** What matches; empty if nothing does. */
    public Optional<FabricInfoList> find() {
        MemorySegment head = MemorySegment.ofArray(new long[1]);
        int result = call(head);
        if (result == -Errno.ENODATA) {
            return Optional.empty();
        }
        if (result != 0) {
            throw FabricException.of("fi_getinfo", result, null);
        }
        return Optional.of(new FabricInfoListImpl(head.get(ValueLayout.JAVA_LONG_UNALIGNED, 0), isComplete()));
    }

    /** Whether anything matches; nothing is kept. */
    public boolean matches() {
        MemorySegment head = MemorySegment.ofArray(new long[1]);
        if (call(head) != 0) {
            return false;
        }
        Exports.freeinfo(head.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        return true;
    }

    /** With any other flag libfabric answers as without this one. */
    private boolean isComplete() {
        return flags != Libfabric.FI_PROV_ATTR_ONLY();
    }

    private int call(MemorySegment head) {
        NativeLibrary.require();
        if (hints != null) {
            int format = hints.addressFormatCode();
            hints.sourceAddress().ifPresent(a -> AddressShape.checkAsked("fi_getinfo", format, a.bytes()));
            hints.destinationAddress().ifPresent(a -> AddressShape.checkAsked("fi_getinfo", format, a.bytes()));
        }
        start();
        if (isComplete()) {
            ProviderLinks.check(hints == null ? null : hints.fabric().providerName().orElse(null));
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            long node0 = node == null ? 0 : CText.of(arena, "fi_getinfo", node).address();
            long service0 = service == null ? 0 : CText.of(arena, "fi_getinfo", service).address();
            // asked before anything native is touched, as it explains why that fails
            int version = NativeLibrary.apiVersion();
            // a copy: whoever changes or closes the hints meanwhile need not wait for the network
            long asked = hints != null ? hints.with(Exports::dupinfo)
                    : fabric == 0 && domain == 0 ? 0 : Exports.dupinfo(0);
            try {
                within(asked, fabric, domain);
                // a provider loaded as a plug-in may take the JVM's signal handlers just as libfabric itself may
                int code = Signals.keep(() -> Exports.getinfo(version, node0, service0, flags, asked,
                        result.address()));
                if (code == 0 && asked != 0) {
                    keepUnified(asked, result.get(ValueLayout.JAVA_LONG, 0));
                }
                if (code == 0) {
                    NameLengths.correct(result.get(ValueLayout.JAVA_LONG, 0));
                    checkPort(result.get(ValueLayout.JAVA_LONG, 0));
                }
                head.copyFrom(result);
                return code;
            } finally {
                if (asked != 0) {
                    Exports.freeinfo(asked);
                }
            }
        }
    }

    /** Call when it is known what was found: except with IP, a service may be any number, or a part of a name. */
    private void checkPort(long found) {
        for (long info = found; info != 0; info = Memory.getLong(info + fi_info.next$offset())) {
            if (AddressShape.isIp(Memory.getInt(info + fi_info.addr_format$offset()))) {
                try {
                    Ports.check("fi_getinfo", service, 1);
                } catch (IllegalArgumentException e) {
                    Exports.freeinfo(found);
                    throw e;
                }
            }
        }
    }

    /**
     * libfabric takes threading and data progress from the hints into what it finds, but leaves control progress as
     * the provider has it; and unless a domain is opened with {@code FI_PROGRESS_CONTROL_UNIFIED}, locks are taken.
     */
    private static void keepUnified(long asked, long found) {
        if (controlProgress(asked) == Libfabric.FI_PROGRESS_CONTROL_UNIFIED()) {
            for (long info = found; info != 0; info = Memory.getLong(info + fi_info.next$offset())) {
                Memory.putInt(Memory.getLong(info + fi_info.domain_attr$offset())
                        + fi_domain_attr.control_progress$offset(), Libfabric.FI_PROGRESS_CONTROL_UNIFIED());
            }
        }
    }

    private static int controlProgress(long info) {
        return Memory.getInt(Memory.getLong(info + fi_info.domain_attr$offset())
                + fi_domain_attr.control_progress$offset());
    }

    /** Only what this open object offers. */
    private static void within(long info, long fabric, long domain) {
        if (info != 0) {
            Memory.putLong(Memory.getLong(info + fi_info.fabric_attr$offset()) + fi_fabric_attr.fabric$offset(),
                    fabric);
            Memory.putLong(Memory.getLong(info + fi_info.domain_attr$offset()) + fi_domain_attr.domain$offset(),
                    domain);
        }
    }
}
