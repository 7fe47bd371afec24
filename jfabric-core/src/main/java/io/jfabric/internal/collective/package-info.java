// SPDX-License-Identifier: Apache-2.0
/** Collective operations and their groups. */
package io.jfabric.internal.collective;
