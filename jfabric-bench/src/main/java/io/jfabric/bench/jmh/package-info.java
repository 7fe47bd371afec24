// SPDX-License-Identifier: Apache-2.0
/**
 * JMH benchmarks of single calls: {@code java -jar target/benchmarks.jar -p provider=shm -prof gc}. JMH's {@code gc}
 * profiler shows the bytes that an operation allocates ({@code gc.alloc.rate.norm}).
 */
package io.jfabric.bench.jmh;
