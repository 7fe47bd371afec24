// SPDX-License-Identifier: Apache-2.0
/** Lifetimes: the tree of open objects, who is inside one, how it closes, what was forgotten. */
package io.jfabric.internal.life;
