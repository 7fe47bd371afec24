// SPDX-License-Identifier: Apache-2.0
package io.jfabric.features;

import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import java.util.List;
import java.util.function.Consumer;

/** What programs want of a provider. Two processes try each, and look at every byte. */
enum Feature {
    SMALL_MESSAGES("messages to 64 bytes", MessageTrials::small, Capability.MSG),
    MESSAGES("messages to 4 KiB", MessageTrials::medium, Capability.MSG),
    LARGE_MESSAGES("messages to 1 MiB", MessageTrials::large, Capability.MSG),
    INJECT("inject", MessageTrials::inject, Capability.MSG),
    DATA("immediate data", MessageTrials::data, Capability.MSG),
    CANCEL("cancel a receive", MessageTrials::cancel, Capability.MSG),
    MULTI_RECEIVE("multi-receive", MessageTrials::multiReceive, Capability.MSG, Capability.MULTI_RECV),
    TAGGED("tagged messages", MessageTrials::tagged, Capability.TAGGED),
    PEEK("peek", MessageTrials::peek, Capability.TAGGED),
    WRITE("RMA write", MemoryTrials::write, Capability.MSG, Capability.RMA),
    READ("RMA read", MemoryTrials::read, Capability.MSG, Capability.RMA),
    WRITE_DATA("RMA write with data", MemoryTrials::writeData, Capability.MSG, Capability.RMA),
    ATOMICS("atomics", MemoryTrials::atomics, Capability.MSG, Capability.ATOMIC),
    COUNTERS("counters", MessageTrials::counters, Capability.MSG),
    BLOCKING("blocking read", MessageTrials::blocking, Capability.MSG),
    TWO_ENDPOINTS("two endpoints in a process", MessageTrials::twoEndpoints, Capability.MSG),
    NODE("nodes", NodeTrial::run, Capability.MSG, Capability.TAGGED);

    private final String title;
    private final Consumer<Party> trial;
    private final List<Capability> capabilities;

    Feature(String title, Consumer<Party> trial, Capability... capabilities) {
        this.title = title;
        this.trial = trial;
        this.capabilities = List.of(capabilities);
    }

    /** For the table. */
    String title() {
        return title;
    }

    /** What both sides ask for. */
    void ask(Hints hints) {
        hints.capabilities(capabilities.toArray(Capability[]::new));
        if (this == DATA || this == WRITE_DATA) {
            // psm3 has it for those who ask
            hints.domain().limits().cqDataSize(4);
        }
    }

    void run(Party party) {
        trial.accept(party);
    }

    /** Says that a provider does not have it, which no capability told before. */
    static final class NotThere extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotThere(String why) {
            super(why);
        }
    }
}
