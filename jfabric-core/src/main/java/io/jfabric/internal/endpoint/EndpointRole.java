// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.internal.life.CloseRank;

/** What a {@code struct fid_ep} is for. */
enum EndpointRole {
    ENDPOINT("endpoint", CloseRank.ENDPOINT, true, true),
    ALIAS("endpoint alias", CloseRank.ENDPOINT, true, true),
    TRANSMIT_CONTEXT("transmit context", CloseRank.ENDPOINT, true, false),
    RECEIVE_CONTEXT("receive context", CloseRank.ENDPOINT, false, true),
    SHARED_RECEIVE_CONTEXT("shared receive context", CloseRank.SHARED_CONTEXT, false, true);

    final int closeRank;
    final boolean transmits;
    final boolean receives;
    private final String text;

    EndpointRole(String text, int closeRank, boolean transmits, boolean receives) {
        this.text = text;
        this.closeRank = closeRank;
        this.transmits = transmits;
        this.receives = receives;
    }

    /** An alias is made of an enabled endpoint; a provider may bind both, and then neglect the alias's bindings. */
    boolean isEnabledAlready() {
        return this == ALIAS;
    }

    @Override
    public String toString() {
        return text;
    }
}
