// SPDX-License-Identifier: Apache-2.0
/** Starting operations: the checks each operation passes, and what its buffers need. */
package io.jfabric.internal.post;
