// SPDX-License-Identifier: Apache-2.0
/** What jfabric counts, for Micrometer: {@link io.jfabric.micrometer.FabricMetrics}. */
@NullMarked
package io.jfabric.micrometer;

import org.jspecify.annotations.NullMarked;
