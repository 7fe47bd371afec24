// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.fi_domain_attr;
import io.jfabric.bindings.fi_fabric_attr;
import io.jfabric.bindings.fi_info;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.library.Exports;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;

/** What was found for other names of fabric and domain than were asked for. */
final class AskedNames {
    private AskedNames() {
    }

    /** Frees what has another name, of a list as it comes from the provider. Returns the head of the rest, or 0. */
    static long keep(long found, long asked) {
        long head = 0;
        long last = 0;
        for (long info = found, next; info != 0; info = next) {
            next = Memory.getLong(info + fi_info.next$offset());
            if (mayStay(info, asked)) {
                head = head == 0 ? info : head;
                last = info;
            } else {
                if (last != 0) {
                    Memory.putLong(last + fi_info.next$offset(), next);
                }
                Memory.putLong(info + fi_info.next$offset(), 0);
                Exports.freeinfo(info);
            }
        }
        return head;
    }

    private static boolean mayStay(long info, long asked) {
        if (has(domain(asked), domain(info)) && has(fabric(asked), fabric(info))) {
            return true;
        }
        String provider = text(info + fi_info.fabric_attr$offset(), fi_fabric_attr.prov_name$offset());
        return !Quirks.of(provider).has(Quirk.IGNORES_NAMES);
    }

    /** As newer releases compare. */
    private static boolean has(String asked, String name) {
        return asked == null || asked.equalsIgnoreCase(name);
    }

    private static String domain(long info) {
        return text(info + fi_info.domain_attr$offset(), fi_domain_attr.name$offset());
    }

    private static String fabric(long info) {
        return text(info + fi_info.fabric_attr$offset(), fi_fabric_attr.name$offset());
    }

    private static String text(long pointer, long offset) {
        long attributes = Memory.getLong(pointer);
        long text = attributes == 0 ? 0 : Memory.getLong(attributes + offset);
        return text == 0 ? null : Memory.string(text);
    }
}
