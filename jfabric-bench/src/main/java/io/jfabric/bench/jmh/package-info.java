// SPDX-License-Identifier: Apache-2.0
/**
 * JMH benchmarks, of single calls and with a remote process as the peer: {@code scripts/bench-jmh}. JMH's {@code gc}
 * profiler ({@code -prof gc}) shows the bytes that an operation allocates ({@code gc.alloc.rate.norm}).
 */
package io.jfabric.bench.jmh;

