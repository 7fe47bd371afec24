// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.async.Service;
import io.jfabric.internal.clock.Seldom;
import io.jfabric.internal.ffi.Log;

/** Ends the sessions of callers that call on and on without reading the answers. */
final class DeafCallers {
    private static final Log LOG = Log.of(Service.class);

    private final Callers callers;
    private final int service;
    private final Seldom times = new Seldom();

    DeafCallers(Callers callers, int service) {
        this.callers = callers;
        this.service = service;
    }

    /** Ends the session of a caller that is deaf; false if it is not. */
    boolean endIfDeaf(Connection connection) {
        if (!connection.unsent().isTooMuch()) {
            return false;
        }
        int now = times.happened();
        if (now > 0) {
            LOG.warn("service {} ends the session of a caller at {}, which calls without reading the answers{}",
                    service, connection.peer(), Seldom.since(now));
        }
        callers.lose(connection);
        return true;
    }
}
