// SPDX-License-Identifier: Apache-2.0
/** What is known of an operation under way: its context, token and memory, until a completion reports its end. */
package io.jfabric.internal.context;
