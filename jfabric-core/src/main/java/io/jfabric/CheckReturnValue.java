// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The result says whether anything happened, so ignoring it is a mistake. Error Prone and OpenRewrite report such calls
 * for any annotation of this name, so programs need no other dependency; javac itself has no such check.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface CheckReturnValue {
}
