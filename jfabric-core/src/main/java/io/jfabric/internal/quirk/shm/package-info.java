// SPDX-License-Identifier: Apache-2.0
/**
 * What shm needs done for it: the names of its endpoints and the files behind them, the locks and answers that dead
 * processes leave in shared memory, and peers in the same process.
 */
package io.jfabric.internal.quirk.shm;
