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
    /** The last of its hellos; under the lock of all callers. */
    private int hello;
    private volatile long idleSince = System.nanoTime();

    /** With its place among the callers, and what its requests must have. */
    Connection(int number, long key, Greeting greeting, Outlet outlet, Unsent unsent) {
        this.number = number;
        this.unsent = unsent;
        this.outlet = outlet;
        this.key = key;
        this.greeting = greeting;
        this.hello = greeting.hello();
    }

    /** Whether it is not from before one that was heard already. */
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

    /** What answers to it must have. */
    long callerKey() {
        return greeting.key();
    }

    PeerImpl peer() {
        return greeting.peer();
    }

    /** Whether it is that of a hello. */
    boolean isOf(Greeting one) {
        return peer() == one.peer() && tag() == one.tag();
    }

    /** Where its answers go. */
    long tag() {
        return greeting.tag();
    }

    /** What short answers to it go through. */
    Outlet outlet() {
        return outlet;
    }

    /** What it was answered, and has not been sent. */
    Unsent unsent() {
        return unsent;
    }

    /** How long a payload may be that follows its header at once. */
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

    /** Whether one of its calls is here, or an answer that is not known to have gone. */
    boolean hasCalls() {
        return calls.get() > 0;
    }

    /** An answer of so many bytes is announced to it. */
    void announced(long length) {
        longestAnswer.accumulateAndGet(length, Math::max);
    }

    /** Of those that were announced. */
    long longestAnswer() {
        return longestAnswer.get();
    }

    /** For how long it has had no call here, in nanoseconds; 0 while it has. */
    long idle(long now) {
        return hasCalls() ? 0 : Math.max(0, now - idleSince);
    }
}
