// SPDX-License-Identifier: Apache-2.0
/** What single providers or releases do wrong, as a table. Only here are providers known by name. */
package io.jfabric.internal.quirk;
