// SPDX-License-Identifier: Apache-2.0
/** The code of fi_getinfo(3): queries, hints, attributes, and why nothing matches. */
package io.jfabric.internal.info;
