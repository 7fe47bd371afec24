// SPDX-License-Identifier: Apache-2.0
/** What all that is opened from one domain shares: its info and quirks, keys, sizes, registrations of local memory. */
package io.jfabric.internal.shared;
