// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

/** A link that posts receives and learns when a send is over: each message has a slot in a buffer for its direction. */
abstract class SlottedLink extends Link {
    private static final int CACHE_LINE = 64;

    /** Sends that are not over yet. */
    protected int sending;
    private int sendSlot;
    private int receiveSlot;

    /** Bytes of a buffer for a window of messages up to that size. */
    protected static int capacity(int largest) {
        return offset(WINDOW, largest);
    }

    /** Where a slot begins: close together, each with cache lines of its own. */
    protected static int offset(int slot, int bytes) {
        return slot * ((bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    }

    /** Posts the receive of a slot. */
    protected abstract void receive(int slot, int bytes) throws Exception;

    /** Where the next message to be sent is to be put. */
    protected final int sendOffset(int bytes) {
        return offset(sendSlot, bytes);
    }

    /** The message keeps its slot until its send is over. */
    protected final void started() {
        sending++;
        sendSlot = (sendSlot + 1) % WINDOW;
    }

    @Override
    protected final void post(int bytes, int count) throws Exception {
        if (isIdle()) {
            // the same slots again, still cached
            receiveSlot = 0;
        }
        for (int i = 0; i < count; i++) {
            receive(receiveSlot, bytes);
            receiveSlot = (receiveSlot + 1) % WINDOW;
        }
    }

    /** All slots may be used again afterwards, the same ones first. */
    @Override
    final void flush() throws Exception {
        while (sending > 0) {
            progress();
        }
        sendSlot = 0;
    }
}
