// SPDX-License-Identifier: Apache-2.0
/** Operations under way: contexts and tokens, the checks each operation passes, local registration, prefixes. */
package io.jfabric.internal.post;
