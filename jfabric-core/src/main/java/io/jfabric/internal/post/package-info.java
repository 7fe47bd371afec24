// SPDX-License-Identifier: Apache-2.0
/** Starting operations: the checks each operation passes, local registration, prefixes. */
package io.jfabric.internal.post;
