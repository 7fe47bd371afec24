// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.internal.life.CloseRank;

/** What a {@code struct fid_ep} is for. */
public enum EndpointRole {
    ENDPOINT("endpoint", CloseRank.ENDPOINT),
    ALIAS("endpoint alias", CloseRank.ENDPOINT),
    TRANSMIT_CONTEXT("transmit context", CloseRank.ENDPOINT),
    RECEIVE_CONTEXT("receive context", CloseRank.ENDPOINT),
    SHARED_RECEIVE_CONTEXT("shared receive context", CloseRank.SHARED_CONTEXT);

    public final int closeRank;
    private final String text;

    EndpointRole(String text, int closeRank) {
        this.text = text;
        this.closeRank = closeRank;
    }

    @Override
    public String toString() {
        return text;
    }
}
