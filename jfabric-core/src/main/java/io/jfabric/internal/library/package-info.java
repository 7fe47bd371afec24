// SPDX-License-Identifier: Apache-2.0
/** The library itself: finding and loading it, the functions it exports, its log, its infos and their owners. */
package io.jfabric.internal.library;
