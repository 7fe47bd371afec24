// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.session;

/** Where a process is in its job. Local numbers are -1 where the launcher does not tell. */
public record Place(int rank, int size, int localRank, int localSize, String name) {
}
