// SPDX-License-Identifier: Apache-2.0
/** What single providers or releases do wrong, as a table. This is the only package that knows providers by name. */
package io.jfabric.internal.quirk;
