// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.Flags;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * An error entry of a completion queue ({@code struct fi_cq_err_entry}, fi_cq(3)).
 *
 * @param context what the operation was posted with
 * @param flags the kind of operation
 * @param length bytes transferred
 * @param overflow bytes that did not fit into the buffer ({@code olen})
 * @param buffer address of the buffer where the provider reports it
 * @param data immediate data, if {@code flags} has it
 * @param tag tag of a tagged message
 * @param errno positive error number
 * @param providerErrno the provider's own number
 * @param text the provider's own text
 * @param errorData more from the provider, such as the raw address of an unknown sender; empty for none
 * @param source the sender of a message that was too long, if known; for {@link FabricError#EADDRNOTAVAIL} with
 *     authorization keys in the address vector, the sender's key; otherwise {@link Address#NOT_AVAILABLE}
 */
public record CompletionError(long context, Flags<CompletionFlag> flags, long length, long overflow, long buffer,
        long data, long tag, int errno, int providerErrno, String text, byte[] errorData, long source) {
    /** Copies the error data. */
    public CompletionError {
        errorData = Objects.requireNonNull(errorData, "errorData").clone();
    }

    /**
     * More from the provider, such as the raw address of an unknown sender.
     *
     * @return a copy; empty for none
     */
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
        return other instanceof CompletionError error && parts().equals(error.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    /**
     * The error as a constant.
     *
     * @return the constant, {@link FabricError#UNRECOGNIZED} for a number jfabric does not know
     */
    public FabricError error() {
        return FabricError.ofCode(errno);
    }

    /**
     * The error as an exception.
     *
     * @return a new exception
     */
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
