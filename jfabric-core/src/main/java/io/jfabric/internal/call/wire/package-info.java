// SPDX-License-Identifier: Apache-2.0
/**
 * Requests and answers: what both sides share, on the way and at its ends.
 *
 * <p>A caller says CONNECT, with its address, and gets ACCEPT, with a number and a key for its requests. A short
 * request is one message (CALL), a short answer another (ANSWER). What is longer is announced (CALL_LARGE,
 * ANSWER_LARGE); the other side makes room, posts receives with tags of their own, and says GO with the first of
 * these tags. Each call ends with exactly one ANSWER, FAILURE, BUSY, LATE or TOO_LONG, on which the caller's window
 * moves on; so neither side ever gets more messages than it has room for. What was announced and does not come ends as
 * payloads of nothing, or is called off (REQUEST_DROPPED, ANSWER_DROPPED).
 *
 * <p>Short messages of a session may come as parts of one (BUNDLE). They are in order, also with what comes by itself,
 * unless the receiver is short of buffers.
 *
 * <p>While a caller waits and hears nothing it says CONNECT again. A service that knows it answers as before; one that
 * was opened anew, maybe in a new process, gives it another key, and the calls before that are known to be lost.
 *
 * <p>Both say BYE at the end. A service that ends in order wants one in return, as a caller that says it has all that
 * came before.
 */
package io.jfabric.internal.call.wire;
