// SPDX-License-Identifier: Apache-2.0
/** Keep-alive: which peers are still there. */
package io.jfabric.internal.alive;
