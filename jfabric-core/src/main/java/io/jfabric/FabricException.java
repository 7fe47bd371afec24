// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.library.Exports;
import org.jspecify.annotations.Nullable;

/**
 * A call into libfabric that failed.
 *
 * <p>The message names the operation (the C function) and the error by name, number and libfabric's own text; it says
 * what is known about the circumstances and, where jfabric knows it, what to do.
 */
public class FabricException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String operation;
    private final int errno;

    /**
     * Makes an exception.
     *
     * @param operation the C function or what was being done
     * @param errno positive error number
     * @param message the complete message
     */
    protected FabricException(String operation, int errno, String message) {
        super(message);
        this.operation = operation;
        this.errno = errno;
    }

    /**
     * Makes an exception without a stack trace, which others may share: it can neither be given a cause nor suppress
     * anything.
     *
     * @param operation the C function or what was being done
     * @param error which
     * @param detail circumstances and remedy
     */
    protected FabricException(String operation, FabricError error, String detail) {
        super(text(operation, (int) error.code(), detail), null, false, false);
        this.operation = operation;
        this.errno = (int) error.code();
    }

    /**
     * Makes a copy that has the original as its cause, and the stack trace of this thread.
     *
     * @param original what failed
     */
    protected FabricException(FabricException original) {
        super(original.getMessage(), original);
        this.operation = original.operation;
        this.errno = original.errno;
    }

    /**
     * Makes an exception from what C returned.
     *
     * @param operation the C function
     * @param result the error number, positive or, as C returns it, negative
     * @param detail circumstances and remedy; null for none
     * @return the exception
     */
    public static FabricException of(String operation, long result, @Nullable String detail) {
        int errno = (int) Math.abs(result);
        return new FabricException(operation, errno, text(operation, errno, detail));
    }

    private static String text(String operation, int errno, @Nullable String detail) {
        return operation + ": " + describe(errno) + (detail == null || detail.isEmpty() ? "" : "; " + detail)
                + Remedies.forErrno(errno, detail);
    }

    /** Name, number and text: {@code FI_ENODATA (61): No data available}. */
    static String describe(int errno) {
        return FabricError.ofCode(errno).nativeName() + " (" + errno + "): " + Exports.strerror(errno);
    }

    /**
     * The same failure, for this thread to throw. What a future has failed with was made where that was found, and
     * other futures may have it, too: thrown as it is, it would not say who waited, and a {@code try} statement whose
     * body and whose {@code close()} both throw it ends with an {@code IllegalArgumentException}.
     *
     * @return another exception of the same class, if that is one of jfabric's, with the stack trace of this thread and
     *     this exception as its cause
     */
    public FabricException inThisThread() {
        return new FabricException(this);
    }

    /**
     * The C function that failed, or what was being done.
     *
     * @return such as {@code fi_getinfo}
     */
    public final String operation() {
        return operation;
    }

    /**
     * The error number.
     *
     * @return positive, such as 61 for {@code FI_ENODATA}
     */
    public final int errno() {
        return errno;
    }

    /**
     * The error as a constant.
     *
     * @return the constant, {@link FabricError#UNRECOGNIZED} for a number jfabric does not know
     */
    public final FabricError error() {
        return FabricError.ofCode(errno);
    }
}
