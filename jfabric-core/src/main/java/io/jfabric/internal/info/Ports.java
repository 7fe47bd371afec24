// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

/** IP ports: the C library takes any number, and uses its lowest 16 bits. */
public final class Ports {
    private static final int LARGEST = 65_535;

    private Ports() {
    }

    /** Throws if a service is a number but no port, or too few ports follow it for the count; null is no service. */
    public static void check(String operation, String service, long count) {
        if (service == null || !service.strip().matches("[+-]?[0-9]+")) {
            return;
        }
        if (!service.matches("[0-9]{1,10}") || Long.parseLong(service) > LARGEST) {
            throw none(operation, service);
        }
        if (Long.parseLong(service) + count - 1 > LARGEST) {
            throw none(operation, Long.toString(LARGEST + 1));
        }
    }

    private static IllegalArgumentException none(String operation, String service) {
        return new IllegalArgumentException(operation + ": service: " + service + " is not a port; ports go from 0 to "
                + LARGEST);
    }
}
