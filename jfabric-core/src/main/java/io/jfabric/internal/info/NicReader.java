// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.fi_bus_attr;
import io.jfabric.bindings.fi_device_attr;
import io.jfabric.bindings.fi_link_attr;
import io.jfabric.bindings.fi_pci_attr;
import io.jfabric.bindings.fid_nic;
import io.jfabric.info.BusType;
import io.jfabric.info.LinkState;
import io.jfabric.info.NicAttributes;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Copies a {@code struct fid_nic} out of native memory. */
final class NicReader {
    private NicReader() {
    }

    static NicAttributes read(long nic) {
        return new NicAttributes(
                device(Memory.getLong(nic + fid_nic.device_attr$offset())),
                bus(Memory.getLong(nic + fid_nic.bus_attr$offset())),
                link(Memory.getLong(nic + fid_nic.link_attr$offset())));
    }

    private static Optional<NicAttributes.Device> device(long attr) {
        return attr == 0 ? Optional.empty() : Optional.of(new NicAttributes.Device(
                text(attr + fi_device_attr.name$offset()), text(attr + fi_device_attr.device_id$offset()),
                text(attr + fi_device_attr.device_version$offset()), text(attr + fi_device_attr.vendor_id$offset()),
                text(attr + fi_device_attr.driver$offset()), text(attr + fi_device_attr.firmware$offset())));
    }

    private static Optional<NicAttributes.Bus> bus(long attr) {
        if (attr == 0) {
            return Optional.empty();
        }
        MemorySegment pci = Memory.segment(attr + fi_bus_attr.attr$offset(), fi_pci_attr.sizeof());
        return Optional.of(new NicAttributes.Bus(BusType.ofCode(Memory.getInt(attr + fi_bus_attr.bus_type$offset())),
                Short.toUnsignedInt(fi_pci_attr.domain_id(pci)), Byte.toUnsignedInt(fi_pci_attr.bus_id(pci)),
                Byte.toUnsignedInt(fi_pci_attr.device_id(pci)), Byte.toUnsignedInt(fi_pci_attr.function_id(pci))));
    }

    private static Optional<NicAttributes.Link> link(long attr) {
        return attr == 0 ? Optional.empty() : Optional.of(new NicAttributes.Link(
                text(attr + fi_link_attr.address$offset()), Memory.getLong(attr + fi_link_attr.mtu$offset()),
                Memory.getLong(attr + fi_link_attr.speed$offset()),
                LinkState.ofCode(Memory.getInt(attr + fi_link_attr.state$offset())),
                text(attr + fi_link_attr.network_type$offset())));
    }

    private static Optional<String> text(long field) {
        return Optional.ofNullable(Memory.string(Memory.getLong(field)));
    }
}
