// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

/** In which order completions are reported ({@code comp_order}); deprecated since 2.0, no bit means any order. */
public enum CompletionOrder implements FabricConstant {
    /** In the order the operations were posted. */
    STRICT(0x1FF),
    /** Bytes of one transfer arrive in order. */
    DATA(1L << 16);

    private final long code;

    CompletionOrder(long code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_ORDER_" + name();
    }
}
