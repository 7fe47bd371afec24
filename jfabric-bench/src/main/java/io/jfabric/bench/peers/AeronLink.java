// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.io.IOException;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Aeron IPC: exclusive publications, small messages claimed, images polled in a loop. The media driver lives in the
 * server. IPC needs it to connect and to move the flow control window, so it sleeps: on a machine of two CPUs the two
 * threads that measure have nearly all of them.
 */
final class AeronLink extends Link implements FragmentHandler {
    private static final String CHANNEL = "aeron:ipc";
    /** Stays in the cache; half of it is the window, which large messages would fill while the driver sleeps longer. */
    private static final int TERM_BYTES = 8 << 20;
    private static final long SLEEP_NANOS = 200_000;
    private static final int MTU = 65_504;
    private static final int FRAGMENTS = 64;
    private static final int ALIGNMENT = 64;

    private final MediaDriver driver;
    private final Aeron aeron;
    private final ExclusivePublication publication;
    private final Image image;
    private final FragmentHandler assembler = new FragmentAssembler(this);
    private final BufferClaim claim = new BufferClaim();
    private final UnsafeBuffer out;

    AeronLink(Meeting meeting) throws IOException {
        String directory = meeting.directory().resolve("aeron").toString();
        out = new UnsafeBuffer(BufferUtil.allocateDirectAligned(meeting.largest(), ALIGNMENT));
        driver = meeting.server() ? MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(directory)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new SleepingIdleStrategy(SLEEP_NANOS))
                .ipcTermBufferLength(TERM_BYTES)
                .ipcMtuLength(MTU)
                .termBufferSparseFile(false)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)) : null;
        meeting.control().barrier();
        aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(directory));
        int stream = meeting.server() ? 1 : 2;
        // closed by close() of the client that owns it
        Subscription subscription = aeron.addSubscription(CHANNEL, 3 - stream);
        publication = aeron.addExclusivePublication(CHANNEL, stream);
        while (!publication.isConnected() || !subscription.isConnected()) {
            Thread.onSpinWait();
        }
        image = subscription.imageAtIndex(0);
    }

    @Override
    void send(int bytes) {
        long number = next();
        boolean small = bytes <= publication.maxPayloadLength();
        if (!small) {
            out.putLong(0, number);
        }
        long position;
        do {
            position = small ? publication.tryClaim(bytes, claim) : publication.offer(out, 0, bytes);
            if (position == Publication.CLOSED || position == Publication.NOT_CONNECTED) {
                throw new IllegalStateException("the other side is gone");
            }
        } while (position < 0);
        if (small) {
            claim.buffer().putLong(claim.offset(), number);
            if (bytes > Long.BYTES) {
                claim.buffer().putBytes(claim.offset() + Long.BYTES, out, Long.BYTES, bytes - Long.BYTES);
            }
            claim.commit();
        }
    }

    @Override
    void progress() {
        image.poll(assembler, FRAGMENTS);
    }

    @Override
    public void onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        arrived(buffer.getLong(offset));
    }

    @Override
    public void close() {
        aeron.close();
        if (driver != null) {
            driver.close();
        }
    }
}
