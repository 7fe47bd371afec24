// SPDX-License-Identifier: Apache-2.0
/** Moments, and what happens at them. */
package io.jfabric.internal.clock;
