// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.fi_fabric_attr;
import io.jfabric.bindings.fi_info;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;

/** Corrects addresses that are not as long as their info says: cut by the provider, or without their NUL. */
final class NameLengths {
    /** libfabric's OFI_NAME_MAX, less the byte that is not used. */
    private static final long MOST = 63;

    private NameLengths() {
    }

    /** Corrects a list as it comes from the provider: libfabric's own copies would read on behind the text. */
    static void correct(long head) {
        for (long info = head; info != 0; info = Memory.getLong(info + fi_info.next$offset())) {
            long fabric = Memory.getLong(info + fi_info.fabric_attr$offset());
            long name = fabric == 0 ? 0 : Memory.getLong(fabric + fi_fabric_attr.prov_name$offset());
            if (name != 0) {
                Quirks quirks = Quirks.of(Memory.string(name));
                correct(quirks, info, fi_info.src_addr$offset(), fi_info.src_addrlen$offset());
                correct(quirks, info, fi_info.dest_addr$offset(), fi_info.dest_addrlen$offset());
            }
        }
    }

    private static void correct(Quirks quirks, long info, long address, long length) {
        long text = Memory.getLong(info + address);
        long bytes = Memory.getLong(info + length);
        if (quirks.has(Quirk.LONG_NAMES)) {
            bytes = Math.min(MOST, bytes);
        }
        if (quirks.has(Quirk.UNTERMINATED_NAMES) && text != 0 && bytes > 0 && Memory.getByte(text + bytes - 1) != 0) {
            bytes++;
        }
        Memory.putLong(info + length, bytes);
    }
}
