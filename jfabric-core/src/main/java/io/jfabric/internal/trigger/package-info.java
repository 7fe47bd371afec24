// SPDX-License-Identifier: Apache-2.0
/** Triggered and deferred operations. */
package io.jfabric.internal.trigger;
