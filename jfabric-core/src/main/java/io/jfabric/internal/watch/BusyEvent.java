// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.watch;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Throttle;

/** {@link Watch#busy}. Only a sample: a loop may be refused a million times a second. */
@Name("jfabric.Busy")
@Label("Busy")
@Description("The provider did not take an operation and said \"again\" (FI_EAGAIN); a sample")
@Category("jfabric")
@Throttle("100/s")
final class BusyEvent extends Event {
    @Label("Endpoint")
    String endpoint;
    @Label("Operation")
    String operation;

    static void emit(Object endpoint, String operation) {
        BusyEvent event = new BusyEvent();
        if (event.shouldCommit()) {
            event.endpoint = String.valueOf(endpoint);
            event.operation = operation;
            event.commit();
        }
    }
}
