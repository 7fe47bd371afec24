// SPDX-License-Identifier: Apache-2.0
/** What says for a provider that it is busy, where it would take what does harm, or what it has no room for. */
package io.jfabric.internal.quirk.busy;
