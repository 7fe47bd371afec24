// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.watch;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** {@link Watch#registering}; lasts as long as the registration took. */
@Name("jfabric.Registration")
@Label("Registration")
@Description("Memory was registered")
@Category("jfabric")
final class RegistrationEvent extends Event {
    @Label("Size")
    @DataAmount
    long bytes;
    @Label("Key")
    long key;

    static RegistrationEvent start() {
        RegistrationEvent event = new RegistrationEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    void end(long size, long itsKey) {
        if (shouldCommit()) {
            bytes = size;
            key = itsKey;
            commit();
        }
    }
}
