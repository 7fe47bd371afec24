// SPDX-License-Identifier: Apache-2.0
/** How operations get to the provider and come back: lanes, slots, limits. */
package io.jfabric.internal.async.flow;
