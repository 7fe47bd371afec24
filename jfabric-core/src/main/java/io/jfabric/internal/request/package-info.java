// SPDX-License-Identifier: Apache-2.0
/** Requests: operations that are described once, in the structs that C takes, and posted any number of times. */
package io.jfabric.internal.request;
