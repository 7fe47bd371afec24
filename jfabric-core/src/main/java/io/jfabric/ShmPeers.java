// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.ffi.Memory;
import io.jfabric.ffi.NativeLibrary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What shm takes for granted of peers in its own process: it uses their memory directly, without asking whether it is
 * there yet, or still.
 */
final class ShmPeers {
    private static final Version FORGETS_NAMES = new Version(2, 0);
    private static final Set<AddressVector> VECTORS = Collections.synchronizedSet(
            Collections.newSetFromMap(new WeakHashMap<>()));
    /** Names of closed endpoints: libfabric 1 would still use their memory. */
    private static final Set<String> GONE = ConcurrentHashMap.newKeySet();

    private ShmPeers() {
    }

    static boolean is(FabricInfo info) {
        return "shm".equals(info.provider());
    }

    static void opened(AddressVector vector) {
        VECTORS.add(vector);
    }

    /** Nothing may be sent to it from here on. */
    static void closing(Address own) {
        String name = own.toText();
        if (!NativeLibrary.knows(FORGETS_NAMES)) {
            GONE.add(name);
        }
        for (AddressVector vector : List.copyOf(VECTORS)) {
            if (vector.isOpen()) {
                vector.forget(address -> address.toText().equals(name));
            }
        }
    }

    /** Before an insertion or removal: the provider goes through all endpoints that the vector is bound to. */
    static void checkEnabled(String operation, FabricObject vector) {
        vector.eachUser(user -> {
            if (user instanceof Endpoint endpoint && !endpoint.isEnabled()) {
                throw new IllegalStateException(operation + ": an endpoint that the address vector is bound to is not "
                        + "enabled: with the shm provider, enable it first");
            }
        });
    }

    /** Names one after the other, each with its NUL. */
    static void checkNames(MemorySegment names, long count) {
        long from = 0;
        for (long i = 0; i < count; i++) {
            long end = from;
            while (end < names.byteSize() && names.get(ValueLayout.JAVA_BYTE, end) != 0) {
                end++;
            }
            if (end == names.byteSize()) {
                throw new IllegalArgumentException("fi_av_insert: the memory ends before address " + i + " of " + count
                        + " does; each ends in a NUL byte");
            }
            byte[] name = names.asSlice(from, end - from).toArray(ValueLayout.JAVA_BYTE);
            if (GONE.contains(new String(name, StandardCharsets.UTF_8))) {
                throw new IllegalStateException("fi_av_insert: this process has closed an endpoint with the name "
                        + new String(name, StandardCharsets.UTF_8) + "; shm of libfabric 1 cannot reach another with "
                        + "that name from here: give the new endpoint a new name");
            }
            from = end + 1;
        }
    }

    /** One name at an address of jfabric's own. */
    static void checkName(long address) {
        byte[] name = Memory.string(address).getBytes(StandardCharsets.UTF_8);
        checkNames(MemorySegment.ofArray(Arrays.copyOf(name, name.length + 1)), 1);
    }
}
