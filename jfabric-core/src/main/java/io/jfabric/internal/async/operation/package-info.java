// SPDX-License-Identifier: Apache-2.0
/** What can be done with a peer: a class for each operation. */
package io.jfabric.internal.async.operation;
