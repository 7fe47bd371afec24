// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.watch;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** {@link Watch#closed}. */
@Name("jfabric.Close")
@Label("Close")
@Description("An object of libfabric's was closed")
@Category("jfabric")
final class CloseEvent extends Event {
    @Label("Kind")
    String kind;
    @Label("Number")
    long number;
    @Label("Was Open For")
    @Timespan
    long openFor;

    static void emit(String kind, long number, long since) {
        CloseEvent event = new CloseEvent();
        if (event.shouldCommit()) {
            event.kind = kind;
            event.number = number;
            event.openFor = System.nanoTime() - since;
            event.commit();
        }
    }
}
