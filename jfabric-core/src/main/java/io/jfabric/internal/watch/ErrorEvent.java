// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.watch;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** {@link Watch#failed}. */
@Name("jfabric.Error")
@Label("Error")
@Description("An operation ended with an error")
@Category("jfabric")
final class ErrorEvent extends Event {
    @Label("Endpoint")
    String endpoint;
    @Label("Context")
    long context;
    @Label("Error Number")
    int errno;
    @Label("Text")
    String text;

    static void emit(Object endpoint, long context, int errno, String text) {
        ErrorEvent event = new ErrorEvent();
        if (event.shouldCommit()) {
            event.endpoint = String.valueOf(endpoint);
            event.context = context;
            event.errno = errno;
            event.text = text;
            event.commit();
        }
    }
}
