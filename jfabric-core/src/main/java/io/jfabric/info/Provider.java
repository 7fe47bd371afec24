// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

/**
 * A provider of the loaded libfabric, whether or not it finds a device on this machine.
 *
 * @param name such as {@code tcp} or {@code ofi_rxm}
 * @param version the provider's version
 */
public record Provider(String name, Version version) {
}
