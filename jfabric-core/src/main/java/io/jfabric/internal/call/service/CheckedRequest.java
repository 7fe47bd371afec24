// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.async.Service;
import io.jfabric.internal.call.wire.Parts;
import io.jfabric.internal.ffi.Log;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The request as its handler sees it where mistakes are looked for: a copy whose memory is freed once the call is
 * answered, so that whoever uses it afterwards gets an exception, and not the bytes of others. An answer that is a part
 * of it keeps it until the answer is sent. To close an arena for each call costs too much to do so always: that waits
 * for all threads. Any thread.
 */
final class CheckedRequest {
    private static final Log LOG = Log.of(Service.class);
    /** As large requests have. */
    private static final int ALIGNMENT = 64;

    private final MemorySegment request;
    private final Arena arena = Arena.ofShared();
    /** Null until somebody asks for it. */
    private MemorySegment copy;

    CheckedRequest(MemorySegment request) {
        this.request = request;
    }

    /** Throws when it is over. */
    synchronized MemorySegment memory() {
        if (copy == null) {
            copy = arena.allocate(request.byteSize(), ALIGNMENT).copyFrom(request);
        }
        return copy;
    }

    /** The call is answered with that memory. */
    synchronized void answeredWith(MemorySegment[] answer) {
        if (copy == null || !Parts.areIn(answer, copy)) {
            end();
        }
    }

    /** Nothing more is sent from it. Again does nothing. */
    synchronized void end() {
        if (arena.scope().isAlive()) {
            try {
                arena.close();
            } catch (IllegalStateException used) {
                LOG.error("the request of a call is used by a thread while the call is answered: copy what is needed "
                        + "later, or answer later", used);
            }
        }
    }
}
