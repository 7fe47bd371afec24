// SPDX-License-Identifier: Apache-2.0
/** What can be seen from outside: events of the JDK's Flight Recorder. Works without the module jdk.jfr. */
package io.jfabric.internal.watch;
