// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

/**
 * A pthread mutex and condition ({@code struct fi_mutex_cond}).
 *
 * @param mutex address of the {@code pthread_mutex_t}
 * @param condition address of the {@code pthread_cond_t}
 * @deprecated as in libfabric: wait for file descriptors, with {@link io.jfabric.wait.FdWaiter}
 */
@Deprecated
public record MutexCondition(long mutex, long condition) {
}
