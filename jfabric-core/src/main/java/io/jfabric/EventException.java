// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.ffi.Octets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An error entry of an event queue ({@code struct fi_eq_err_entry}), such as a rejected connection. */
public final class EventException extends FabricException {
    private static final long serialVersionUID = 1L;

    private final transient FabricObject source;
    private final long context;
    private final long data;
    private final int providerErrno;
    private final transient byte[] errorData;

    /**
     * What an error entry says.
     *
     * @param source the object the error is about; null if it is closed
     * @param context what the operation was started with
     * @param data depends on the operation
     * @param errno libfabric's error number
     * @param providerErrno the provider's own number
     * @param text what the provider says about that number
     * @param errorData more from the provider; null for none
     */
    public EventException(@Nullable FabricObject source, long context, long data, int errno, int providerErrno,
            String text,
            byte @Nullable [] errorData) {
        super("fi_eq_readerr", errno, "event error: " + describe(errno)
                + (providerErrno == 0 ? "" : "; provider: " + text + " (" + providerErrno + ")")
                + (source == null ? "" : "; on " + source)
                + cameWith(errorData));
        this.source = source;
        this.context = context;
        this.data = data;
        this.providerErrno = providerErrno;
        this.errorData = errorData;
    }

    private static String cameWith(byte @Nullable [] errorData) {
        return errorData == null || errorData.length == 0 ? "" : "; with it came " + Octets.text(errorData);
    }

    private EventException(EventException event, String operation, String detail) {
        super(operation, event.errno(), operation + ": " + describe(event.errno()) + "; " + detail
                + cameWith(event.errorData));
        this.source = event.source;
        this.context = event.context;
        this.data = event.data;
        this.providerErrno = event.providerErrno;
        this.errorData = event.errorData;
        initCause(event);
    }

    private EventException(EventException original) {
        super(original);
        this.source = original.source;
        this.context = original.context;
        this.data = original.data;
        this.providerErrno = original.providerErrno;
        this.errorData = original.errorData;
    }

    @Override
    public EventException inThisThread() {
        return new EventException(this);
    }

    /**
     * The same event, with what was being done.
     *
     * @param operation what was being done
     * @param detail circumstances and remedy
     * @return another exception, whose cause is this one
     */
    public EventException during(String operation, String detail) {
        return new EventException(this, operation, detail);
    }

    /**
     * The object the error is about.
     *
     * @return the object; empty if it is closed
     */
    public Optional<FabricObject> source() {
        return Optional.ofNullable(source);
    }

    /**
     * What the failed operation was started with.
     *
     * @return the context
     */
    public long context() {
        return context;
    }

    /**
     * Depends on the operation; for insertions into an address vector the index of the address.
     *
     * @return the data
     */
    public long data() {
        return data;
    }

    /**
     * The provider's own error number.
     *
     * @return the number
     */
    public int providerErrno() {
        return providerErrno;
    }

    /**
     * More from the provider; for a rejected connection what the peer sent along.
     *
     * @return a copy; empty for none
     */
    public byte[] errorData() {
        return errorData == null ? new byte[0] : errorData.clone();
    }
}
