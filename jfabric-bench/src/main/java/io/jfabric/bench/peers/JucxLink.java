// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

/** JUCX: tagged messages in direct buffers by address, callbacks made beforehand, progress in a loop. */
final class JucxLink extends SlottedLink {
    private static final int TAG = 7;
    private static final long ALL_BITS = -1;

    private final UcpContext context;
    private final UcpWorker worker;
    private final UcpEndpoint endpoint;
    private final ByteBuffer out;
    private final ByteBuffer in;
    private final long outAddress;
    private final long inAddress;
    private final UcxCallback[] receives = new UcxCallback[WINDOW];
    private final UcxCallback sends = new Callback() {
        @Override
        public void onSuccess(UcpRequest request) {
            sending--;
        }
    };

    private abstract static class Callback extends UcxCallback {
        @Override
        public void onError(int status, String message) {
            throw new UcxException(message, status);
        }
    }

    JucxLink(Meeting meeting) throws IOException {
        // first, since this loads the library
        context = new UcpContext(new UcpParams().requestTagFeature());
        int capacity = capacity(meeting.largest());
        out = ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
        in = ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
        outAddress = UcxUtils.getAddress(out);
        inAddress = UcxUtils.getAddress(in);
        for (int i = 0; i < WINDOW; i++) {
            int slot = i;
            receives[i] = new Callback() {
                @Override
                public void onSuccess(UcpRequest request) {
                    arrived(in.getLong(offset(slot, expectedBytes)));
                }
            };
        }
        worker = new UcpWorker(context, new UcpWorkerParams());
        ByteBuffer address = worker.getAddress();
        byte[] mine = new byte[address.remaining()];
        address.get(mine);
        byte[] theirs = meeting.exchange(mine);
        ByteBuffer direct = ByteBuffer.allocateDirect(theirs.length).put(theirs).flip();
        endpoint = new UcpEndpoint(worker, new UcpEndpointParams().setUcpAddress(direct));
    }

    @Override
    protected void receive(int slot, int bytes) {
        worker.recvTaggedNonBlocking(inAddress + offset(slot, bytes), bytes, TAG, ALL_BITS, receives[slot]);
    }

    @Override
    void send(int bytes) {
        int offset = sendOffset(bytes);
        out.putLong(offset, next());
        started();
        endpoint.sendTaggedNonBlocking(outAddress + offset, bytes, TAG, sends);
    }

    @Override
    void progress() throws Exception {
        worker.progress();
    }

    @Override
    public void close() {
        endpoint.close();
        worker.close();
        context.close();
    }
}
