// SPDX-License-Identifier: Apache-2.0
/** The arithmetic of collective operations: one element by element loop for each type and operation. */
package io.jfabric.internal.combine;
