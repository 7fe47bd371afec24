// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.watch;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** {@link Watch#opened}. */
@Name("jfabric.Open")
@Label("Open")
@Description("An object of libfabric's was opened")
@Category("jfabric")
final class OpenEvent extends Event {
    @Label("Kind")
    String kind;
    @Label("Number")
    long number;
    @Label("Opened From")
    @Description("The number of its parent; -1 for none")
    long parent;

    static void emit(String kind, long number, long parent) {
        OpenEvent event = new OpenEvent();
        if (event.shouldCommit()) {
            event.kind = kind;
            event.number = number;
            event.parent = parent;
            event.commit();
        }
    }
}
