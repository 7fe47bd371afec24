// SPDX-License-Identifier: Apache-2.0
/** Who makes progress for nodes: the engine, or those who wait. */
package io.jfabric.internal.async.drive;
