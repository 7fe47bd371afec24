// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.internal.life.FidObject;

/** Where asynchronous insertions report. */
public interface InsertionEvents {
    /** One is about to start. Returns what the provider gets as its context. */
    long begin(FidObject vector, long context);

    /** It did not start, and there will be no event. */
    void forget(long token);
}
