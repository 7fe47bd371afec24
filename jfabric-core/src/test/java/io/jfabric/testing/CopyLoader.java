// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import java.io.File;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;

/** Another copy of all that is on the class path, as an application server loads it for each application. */
public final class CopyLoader extends URLClassLoader {
    public CopyLoader() {
        super("copy", urls(), ClassLoader.getPlatformClassLoader());
    }

    private static URL[] urls() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(CopyLoader::url).toArray(URL[]::new);
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Calls the static method of that name, of this copy's class of that name. */
    public Object call(Class<?> type, String name, Object... arguments) throws Exception {
        for (Method method : loadClass(type.getName()).getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                try {
                    return method.invoke(null, arguments);
                } catch (InvocationTargetException e) {
                    if (e.getCause() instanceof Exception cause) {
                        throw cause;
                    }
                    throw new AssertionError(e.getCause());
                }
            }
        }
        throw new NoSuchMethodException(name);
    }
}
