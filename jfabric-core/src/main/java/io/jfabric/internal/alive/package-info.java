// SPDX-License-Identifier: Apache-2.0
/** Keep-alive: who is still there. */
package io.jfabric.internal.alive;
