// SPDX-License-Identifier: Apache-2.0
/** What stands before a provider's functions: it says busy where the provider would do harm, or asks in another way. */
package io.jfabric.internal.quirk.guard;
