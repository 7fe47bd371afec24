// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.watch;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** {@link Watch#counts}. */
@Name("jfabric.Counts")
@Label("Counts")
@Description("What a domain has done so far")
@Category("jfabric")
@Period("1 s")
@StackTrace(false)
final class CountsEvent extends Event {
    @Label("Domain")
    String domain;
    @Label("Posted")
    long posted;
    @Label("Completed")
    long completed;
    @Label("Errors")
    long errors;
    @Label("Busy")
    long busy;
    @Label("Under Way")
    long underWay;
    @Label("Registered")
    @DataAmount
    long registeredBytes;

    static void emit(String domain, long posted, long completed, long errors, long busy, long underWay,
            long registeredBytes) {
        CountsEvent event = new CountsEvent();
        if (event.shouldCommit()) {
            event.domain = domain;
            event.posted = posted;
            event.completed = completed;
            event.errors = errors;
            event.busy = busy;
            event.underWay = underWay;
            event.registeredBytes = registeredBytes;
            event.commit();
        }
    }
}
