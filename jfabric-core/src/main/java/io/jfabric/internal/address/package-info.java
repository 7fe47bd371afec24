// SPDX-License-Identifier: Apache-2.0
/** Address vectors and what is known of the peers in them. */
package io.jfabric.internal.address;
