// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

/** Messages that wait for a node's next poll, so that several can go as one. Any thread. */
public interface Gathered {
    Gathered NOTHING = new Gathered() {
        @Override
        public boolean isEmpty() {
            return true;
        }

        @Override
        public void send() {
            // there is nothing
        }

        @Override
        public void sendAll() {
            // there is nothing
        }
    };

    boolean isEmpty();

    /** Sends them, but not for long: the rest stays. */
    void send();

    /** Sends them all, as nobody may poll any more. */
    void sendAll();
}
