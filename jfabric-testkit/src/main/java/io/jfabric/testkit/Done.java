// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import io.jfabric.Completion;
import io.jfabric.CompletionError;
import io.jfabric.CompletionFlag;
import io.jfabric.option.CompletionFormat;
import org.jspecify.annotations.Nullable;

/** A completion, copied; fields that the queue's format does not report are 0. {@code error} is null on success. */
public record Done(long context, long flags, long length, long buffer, long data, long tag, long source,
        @Nullable CompletionError error) {
    static Done of(Completion c, CompletionFormat format) {
        boolean msg = format.compareTo(CompletionFormat.MSG) >= 0;
        boolean withData = format.compareTo(CompletionFormat.DATA) >= 0;
        return new Done(c.context(), msg ? c.flags().bits() : 0, msg ? c.length() : 0, withData ? c.buffer() : 0,
                withData ? c.data() : 0, format == CompletionFormat.TAGGED ? c.tag() : 0, c.source(), null);
    }

    static Done of(CompletionError e) {
        return new Done(e.context(), e.flags().bits(), e.length(), e.buffer(), e.data(), e.tag(), e.source(), e);
    }

    /** Whether the flag is among {@code flags}. */
    public boolean is(CompletionFlag flag) {
        return (flags & flag.code()) != 0;
    }
}
