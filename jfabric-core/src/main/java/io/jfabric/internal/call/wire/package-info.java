// SPDX-License-Identifier: Apache-2.0
/**
 * What callers and services share: the messages of calls, and how they travel.
 *
 * <p>A caller says CONNECT, with its address, and gets ACCEPT, with a number and a key for its requests. A short
 * request is one message (CALL), a short answer another (ANSWER). A longer one is announced (CALL_LARGE, ANSWER_LARGE);
 * the other side makes room, posts receives with tags of their own, and says GO with the first of these tags. Each call
 * ends with exactly one ANSWER, FAILURE, BUSY, LATE or TOO_LONG, on which the caller's window moves on; so neither side
 * ever gets more messages than it has room for. What was announced and does not come ends as empty payloads, or is
 * called off (REQUEST_DROPPED, ANSWER_DROPPED).
 *
 * <p>Short messages of a session may come together as one (BUNDLE). They stay in order, also relative to those that
 * come by themselves, unless the receiver is short of buffers.
 *
 * <p>While a caller waits and hears nothing it says CONNECT again. A service that knows it answers as before; one that
 * was opened anew, maybe in a new process, gives it another key, and then the calls before that are known to be lost.
 *
 * <p>Both say BYE at the end. A service that ends in order wants a BYE in return: a caller that says it has received
 * all that came before.
 */
package io.jfabric.internal.call.wire;
