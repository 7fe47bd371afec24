// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.FabricEvent;
import io.jfabric.internal.ffi.Octets;
import io.jfabric.internal.info.FabricInfoImpl;
import java.util.Arrays;
import java.util.Objects;

/** {@link FabricEvent.ConnectionRequest}. */
public record ConnectionRequestImpl(PassiveEndpointImpl endpoint, FabricInfoImpl info, byte[] data)
        implements FabricEvent.ConnectionRequest {
    @Override
    public byte[] data() {
        return data.clone();
    }

    @Override
    public void reject() {
        reject(null);
    }

    @Override
    public void reject(byte[] answer) {
        if (endpoint == null) {
            throw new IllegalStateException("fi_reject: the passive endpoint of the request is closed; what it had "
                    + "not answered is rejected");
        }
        endpoint.reject(info, answer);
        close();
    }

    @Override
    public void close() {
        if (info != null) {
            if (endpoint != null) {
                endpoint.abandon(info);
            }
            info.close();
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ConnectionRequestImpl request && Objects.equals(endpoint, request.endpoint)
                && Objects.equals(info, request.info) && Arrays.equals(data, request.data);
    }

    @Override
    public int hashCode() {
        return Objects.hash(endpoint, info, Arrays.hashCode(data));
    }

    /** With the data as digits and as text. */
    @Override
    public String toString() {
        return "ConnectionRequest[endpoint=" + endpoint + ", data=" + Octets.text(data) + "]";
    }
}
