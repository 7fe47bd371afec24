// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.MutexCondition;
import io.jfabric.PollDescriptor;
import io.jfabric.Waitable;
import io.jfabric.internal.life.Facade;
import io.jfabric.option.WaitObject;
import java.util.List;

/** {@link Waitable}, for jfabric's own objects. */
public non-sealed interface NativeWaitable extends Waitable {
    /** A native wait would use what is about to be closed: from now on whoever waits polls instead. */
    default void pollOnly() {
    }

    default boolean isPollOnly() {
        return false;
    }

    @Override
    default WaitObject waitObject() {
        return WaitObjects.actual(Facade.unwrap(this), requestedWaitObject());
    }

    @Override
    default int fileDescriptor() {
        return WaitObjects.fileDescriptor(Facade.unwrap(this), waitObject());
    }

    @Override
    default List<PollDescriptor> pollDescriptors() {
        return WaitObjects.pollDescriptors(Facade.unwrap(this), waitObject());
    }

    @Override
    @Deprecated
    default MutexCondition mutexCondition() {
        return WaitObjects.mutexCondition(Facade.unwrap(this), waitObject());
    }
}
