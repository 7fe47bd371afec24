// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

/** Request and response: the client's messages are calls, each with a future, and the server's handler answers each. */
abstract class CallLink extends Link {
    private int answerBytes;

    @Override
    final boolean answersEach() {
        return true;
    }

    @Override
    final void answerWith(int bytes) {
        answerBytes = bytes;
    }

    /** The server: a request with this number is here. Returns how long its answer is, which bears the same number. */
    protected final int asked(long number) {
        if (number < 0 || number >= Integer.MAX_VALUE) {
            throw new IllegalStateException("the request has the number " + number);
        }
        return answerBytes;
    }

    /** The client: a future is done. */
    protected final void answered(long number, long answer, Throwable failure) {
        if (failure != null) {
            throw new IllegalStateException("call " + number + " failed", failure);
        }
        if (number != answer) {
            throw new IllegalStateException("call " + number + " got the answer of " + answer);
        }
        arrivedInAnyOrder();
    }
}
