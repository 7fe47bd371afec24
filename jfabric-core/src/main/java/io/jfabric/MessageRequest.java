// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.request.MessageRequestImpl;

/**
 * A send or receive ({@code struct fi_msg}). From {@link Messages#sendRequest()} and {@link Messages#receiveRequest()}.
 *
 * <p>Errors and threads: see {@link Request}.
 */
public sealed interface MessageRequest extends Request<MessageRequest> permits MessageRequestImpl {
}
