// SPDX-License-Identifier: Apache-2.0
/** The side that answers. */
package io.jfabric.internal.call.service;
