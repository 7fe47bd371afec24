// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.FabricInfo;
import io.jfabric.internal.connect.ConnectionRequestImpl;
import io.jfabric.internal.ffi.Octets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link EventQueue} reports (fi_eq(3)). Objects are null where they are closed or were not opened here. Any
 * thread may use an event; only its info is not thread-safe.
 *
 * <p>Later releases may have more kinds of events: a {@code switch} needs a {@code default}. What a provider reports
 * that jfabric has no kind for is a {@link Notify} with the number of its type.
 */
public sealed interface FabricEvent {
    /**
     * A peer asks for a connection ({@code FI_CONNREQ}). To accept it, open an endpoint from the info, bind its
     * queues, and call {@link Endpoint#accept(byte[])}; or {@link #reject} it. To be closed in any case.
     */
    sealed interface ConnectionRequest extends FabricEvent, AutoCloseable permits ConnectionRequestImpl {
        /**
         * Whom the peer asks.
         *
         * @return the passive endpoint that listens; null if it is closed
         */
        @Nullable PassiveEndpoint endpoint();

        /**
         * What to open an endpoint from, once.
         *
         * @return the info; null in an event that was only peeked at
         */
        @Nullable FabricInfo info();

        /**
         * What the peer sent along.
         *
         * @return a copy
         */
        byte[] data();

        /**
         * Rejects the request without data ({@code fi_reject}) and closes it.
         *
         * @throws IllegalArgumentException if it was only peeked at
         * @throws IllegalStateException if it is answered or closed already, or the passive endpoint is closed
         */
        void reject();

        /**
         * Rejects the request ({@code fi_reject}) and closes it.
         *
         * @param answer what the peer finds in {@link EventException#errorData()}; as much as the provider takes; null
         *     for nothing
         * @throws IllegalArgumentException if there is more of it; the request then waits for another answer; if it was
         *     only peeked at
         * @throws IllegalStateException if it is answered or closed already, or the passive endpoint is closed
         */
        void reject(byte @Nullable [] answer);

        /** Frees the info. A request that no endpoint was opened from is rejected. */
        @Override
        void close();
    }

    /**
     * A connection is established ({@code FI_CONNECTED}).
     *
     * @param endpoint the endpoint
     * @param data what the peer gave to {@link Endpoint#accept(byte[])}; empty at the side that has accepted, and where
     *     the endpoint is closed
     */
    record Connected(@Nullable Endpoint endpoint, byte[] data) implements FabricEvent {
        /** Copies the data. */
        public Connected {
            data = Objects.requireNonNull(data, "data").clone();
        }

        /**
         * What the peer sent along with its answer.
         *
         * @return a copy
         */
        @Override
        public byte[] data() {
            return data.clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Connected connected && Objects.equals(endpoint, connected.endpoint)
                    && Arrays.equals(data, connected.data);
        }

        @Override
        public int hashCode() {
            return Objects.hash(endpoint, Arrays.hashCode(data));
        }

        /** With the data as digits and as text. */
        @Override
        public String toString() {
            return "Connected[endpoint=" + endpoint + ", data=" + Octets.text(data) + "]";
        }
    }

    /**
     * A connection is gone ({@code FI_SHUTDOWN}). Operations that are under way fail, and receives that are posted from
     * now on throw {@link FabricException} ({@code FI_ENOTCONN}); on sockets, where messages may be arriving yet,
     * receives do so once {@link Endpoint#shutdown} is called, and those under way also if the endpoint is closed.
     *
     * @param endpoint the endpoint
     */
    record Shutdown(@Nullable Endpoint endpoint) implements FabricEvent {
    }

    /**
     * A registration is done ({@code FI_MR_COMPLETE}).
     *
     * @param region the region
     * @param context what it was started with
     */
    record MemoryRegistered(@Nullable MemoryRegion region, long context) implements FabricEvent {
    }

    /**
     * An asynchronous insertion is done ({@code FI_AV_COMPLETE}).
     *
     * @param vector the address vector
     * @param context what it was started with
     * @param inserted how many addresses were inserted
     */
    record AddressesInserted(@Nullable AddressVector vector, long context, long inserted) implements FabricEvent {
    }

    /**
     * A multicast or collective group is joined ({@code FI_JOIN_COMPLETE}).
     *
     * @param group the group
     * @param context what the join was started with
     */
    record JoinComplete(@Nullable FabricObject group, long context) implements FabricEvent {
    }

    /**
     * An event that the application wrote, or a notification from the provider ({@code FI_NOTIFY} and all others).
     *
     * @param type the number of the event
     * @param source the object it is about; null for none
     * @param context the context
     * @param data the data
     */
    record Notify(int type, @Nullable FabricObject source, long context, long data) implements FabricEvent {
    }
}
