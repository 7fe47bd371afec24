// SPDX-License-Identifier: Apache-2.0
/** What works on which provider: each feature tried between two processes, and the table that comes of it. */
package io.jfabric.features;
