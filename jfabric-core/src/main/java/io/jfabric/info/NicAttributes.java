// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import java.util.Optional;

/**
 * The hardware behind a {@code fi_info} ({@code struct fid_nic}, fi_nic(3)). Text is empty where the provider gives
 * none.
 *
 * @param device the device; empty when the provider does not describe it
 * @param bus how it is attached; empty when the provider does not say
 * @param link the network link; empty when the provider does not say
 */
public record NicAttributes(Optional<Device> device, Optional<Bus> bus, Optional<Link> link) {
    /**
     * The device ({@code struct fi_device_attr}).
     *
     * @param name the operating system's name for it
     * @param deviceId id in the vendor's catalogue
     * @param deviceVersion revision
     * @param vendorId id of the vendor
     * @param driver the kernel's driver
     * @param firmware version of the firmware
     */
    public record Device(Optional<String> name, Optional<String> deviceId, Optional<String> deviceVersion,
            Optional<String> vendorId, Optional<String> driver, Optional<String> firmware) {
    }

    /**
     * The bus ({@code struct fi_bus_attr}); the numbers mean something for PCI only.
     *
     * @param type kind of bus
     * @param domain PCI domain, 0 to 65535
     * @param bus PCI bus, 0 to 255
     * @param device PCI device, 0 to 255
     * @param function PCI function, 0 to 255
     */
    public record Bus(BusType type, int domain, int bus, int device, int function) {
    }

    /**
     * The link ({@code struct fi_link_attr}).
     *
     * @param address its address
     * @param mtu largest packet, in bytes
     * @param speed in bits per second
     * @param state up or down
     * @param networkType such as InfiniBand or Ethernet
     */
    public record Link(Optional<String> address, long mtu, long speed, LinkState state,
            Optional<String> networkType) {
    }
}
