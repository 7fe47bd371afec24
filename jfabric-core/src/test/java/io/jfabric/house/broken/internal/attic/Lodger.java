// SPDX-License-Identifier: Apache-2.0
package io.jfabric.house.broken.internal.attic;

/** In a package that nobody planned. */
public class Lodger {
}
