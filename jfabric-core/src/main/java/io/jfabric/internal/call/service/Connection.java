// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Outlet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A caller that has said hello. */
final class Connection {
    private final int number;
    private final long key;
    private final Greeting greeting;
    private final Outlet outlet;
    private final Unsent unsent;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong longestAnswer = new AtomicLong();
    /** The number of its last hello; under the lock of all callers. */
    private int hello;
    private volatile long idleSince = System.nanoTime();

    /** With its place among the callers, and the key that its requests must carry. */
    Connection(int number, long key, Greeting greeting, Outlet outlet, Unsent unsent) {
        this.number = number;
        this.unsent = unsent;
        this.outlet = outlet;
        this.key = key;
        this.greeting = greeting;
        this.hello = greeting.hello();
    }

    /** Whether that hello is not from before one that was heard already. */
    boolean isNew(Greeting another) {
        return another.hello() - hello >= 0;
    }

    void heard(Greeting another) {
        hello = another.hello();
    }

    int number() {
        return number;
    }

    long key() {
        return key;
    }

    /** The key that answers to it must carry. */
    long callerKey() {
        return greeting.key();
    }

    PeerImpl peer() {
        return greeting.peer();
    }

    /** Whether that hello is from the same caller. */
    boolean isOf(Greeting one) {
        return peer() == one.peer() && tag() == one.tag();
    }

    /** The target of its answers. */
    long tag() {
        return greeting.tag();
    }

    /** Its short answers go through this. */
    Outlet outlet() {
        return outlet;
    }

    /** Its answers that have not been sent yet. */
    Unsent unsent() {
        return unsent;
    }

    /** The longest payload that it takes in one message with the header. */
    int inlineBytes() {
        return greeting.inlineBytes();
    }

    void callBegins() {
        calls.getAndIncrement();
    }

    void callEnds() {
        idleSince = System.nanoTime();
        calls.getAndDecrement();
    }

    /** Whether one of its calls is here, or an answer that may not have gone yet. */
    boolean hasCalls() {
        return calls.get() > 0;
    }

    /** An answer of so many bytes is announced to it. */
    void announced(long length) {
        longestAnswer.accumulateAndGet(length, Math::max);
    }

    /** The longest answer that was announced. */
    long longestAnswer() {
        return longestAnswer.get();
    }

    /** How long it has had no call here, in nanoseconds; 0 while it has one. */
    long idle(long now) {
        return hasCalls() ? 0 : Math.max(0, now - idleSince);
    }
}
