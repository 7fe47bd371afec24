// SPDX-License-Identifier: Apache-2.0
/** The everyday layer: nodes, their operations and the engines that drive them. Uses level 1 as everybody does. */
package io.jfabric.internal.async;
