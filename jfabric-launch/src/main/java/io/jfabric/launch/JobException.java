// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A job that cannot be joined, or an operation of it that failed. The message names the ranks and hosts involved. */
public final class JobException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient @Nullable LostRank lost;

    /**
     * A failure.
     *
     * @param message what failed, and what helps
     */
    public JobException(String message) {
        this(message, null, null);
    }

    /**
     * A failure with a cause.
     *
     * @param message what failed, and what helps
     * @param cause why; may be null
     */
    public JobException(String message, @Nullable Throwable cause) {
        this(message, null, cause);
    }

    /**
     * A failure because a rank is gone.
     *
     * @param message what failed
     * @param lost who is gone; may be null
     */
    public JobException(String message, @Nullable LostRank lost) {
        this(message, lost, null);
    }

    private JobException(String message, @Nullable LostRank lost, @Nullable Throwable cause) {
        super(message, cause);
        this.lost = lost;
    }

    /**
     * Who is gone.
     *
     * @return the rank that was lost; empty if that was not the reason
     */
    public Optional<LostRank> lost() {
        return Optional.ofNullable(lost);
    }
}
