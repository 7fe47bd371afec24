// SPDX-License-Identifier: Apache-2.0
/** Endpoints of all kinds and the families of operations. */
package io.jfabric.internal.endpoint;
