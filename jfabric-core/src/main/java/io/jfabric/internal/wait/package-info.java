// SPDX-License-Identifier: Apache-2.0
/** Poll sets and wait sets, deprecated in libfabric. */
package io.jfabric.internal.wait;
