// SPDX-License-Identifier: Apache-2.0
/** What ratios of medians do not show: how long the first message takes, and how slow the slowest are. */
package io.jfabric.bench.single;
