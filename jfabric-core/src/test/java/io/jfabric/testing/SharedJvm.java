// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import io.jfabric.testkit.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A child JVM that runs one main method after another, as long as they return: for what might crash, without starting a
 * JVM for each. Not for what is seen when a JVM ends, nor for what needs flags or variables of its own.
 */
public final class SharedJvm {
    /** Between arguments. */
    private static final String SEPARATOR = "\t";
    private static ChildJvm child;
    private static int runs;
    /** How much of the child's output was there before this run. */
    private static int before;

    private SharedJvm() {
    }

    /**
     * Runs a main method. After a crash, an exception, or one that does not return in time, the next has a new child.
     *
     * @param arguments without tabs
     * @return as of a JVM of its own: 1 and the stack trace for an exception; what earlier ones printed is not in it
     */
    public static synchronized ChildJvm.Result run(Class<?> main, String... arguments) {
        if (child == null) {
            child = ChildJvm.of(SharedJvm.class).start();
            before = 0;
        }
        ChildJvm.Result result = null;
        try {
            result = ask(main, arguments);
        } finally {
            if (result == null || result.exitCode() != 0 || !isAlive()) {
                child.close();
                child = null;
            }
        }
        return result;
    }

    private static ChildJvm.Result ask(Class<?> main, String... arguments) {
        String end = "--- end of run " + ++runs + ": ";
        child.tell(String.join(SEPARATOR, end, main.getName(), String.join(SEPARATOR, arguments)));
        String last;
        try {
            last = child.awaitLine(line -> line.contains(end));
        } catch (AssertionError missing) {
            if (isAlive()) {
                throw missing;
            }
            ChildJvm.Result ended = child.await();
            return new ChildJvm.Result(ended.exitCode(), ended.output().substring(before));
        }
        String all = child.output();
        String printed = all.substring(before, all.indexOf(end));
        before = all.length();
        return new ChildJvm.Result(Integer.parseInt(last.substring(last.indexOf(end) + end.length())), printed);
    }

    private static boolean isAlive() {
        return ProcessHandle.of(child.pid()).filter(ProcessHandle::isAlive).isPresent();
    }

    /** The child: of each line of input what to print at its end, a main class and its arguments. */
    public static void main(String[] none) throws IOException, ReflectiveOperationException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(SEPARATOR);
            int status = 0;
            try {
                Method main = Class.forName(words[1]).getDeclaredMethod("main", String[].class);
                main.setAccessible(true);
                main.invoke(null, (Object) Arrays.copyOfRange(words, 2, words.length));
            } catch (InvocationTargetException e) {
                e.getCause().printStackTrace();
                status = 1;
            }
            System.out.println(words[0] + status);
        }
    }
}
