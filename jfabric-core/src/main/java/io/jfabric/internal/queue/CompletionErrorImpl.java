// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.CompletionError;
import io.jfabric.CompletionFlag;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Flags;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** {@link CompletionError}. */
public record CompletionErrorImpl(long context, Flags<CompletionFlag> flags, long length, long overflow, long buffer,
        long data, long tag, int errno, int providerErrno, String text, byte[] errorData, long source)
        implements CompletionError {
    /** Copies the error data. */
    public CompletionErrorImpl {
        errorData = errorData.clone();
    }

    @Override
    public byte[] errorData() {
        return errorData.clone();
    }

    private List<Object> parts() {
        return Arrays.asList(context, flags, length, overflow, buffer, data, tag, errno, providerErrno, text,
                ByteBuffer.wrap(errorData), source);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CompletionErrorImpl error && parts().equals(error.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public FabricError error() {
        return FabricError.ofCode(errno);
    }

    @Override
    public FabricException toException() {
        return FabricException.of("operation " + flags + " with context " + context, errno, (providerErrno == 0 ? ""
                : "provider: " + text + " (" + providerErrno + ")")
                + (overflow == 0 ? "" : (providerErrno == 0 ? "" : "; ") + Long.toUnsignedString(overflow)
                + " bytes did not fit into the buffer"));
    }

    /** One line for people. */
    @Override
    public String toString() {
        return toException().getMessage();
    }
}
