// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests where there is no Maven, such as in the virtual machine of scripts/test-verbs: a line for each, and exit
 * status 0 only if every argument led to a test that passed and nothing failed.
 *
 * <p>Usage: RunTests CLASS|CLASS#METHOD(PARAMETER-TYPE)...
 */
public final class RunTests implements TestExecutionListener {
    private final Map<TestIdentifier, Long> started = new HashMap<>();
    private final Set<String> classes = new HashSet<>();
    private TestPlan plan;
    private int passed;
    private int failed;

    public static void main(String[] args) {
        RunTests run = new RunTests();
        LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request()
                .selectors(Stream.of(args).map(a -> a.contains("#") ? selectMethod(a) : selectClass(a)).toList())
                .build(), run);
        System.out.println(run.passed + " passed, " + run.failed + " failed");
        long asked = Stream.of(args).map(a -> a.replaceAll("#.*", "")).distinct().count();
        System.exit(run.failed == 0 && run.classes.size() == asked ? 0 : 1);
    }

    @Override
    public void testPlanExecutionStarted(TestPlan testPlan) {
        plan = testPlan;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        started.put(test, System.nanoTime());
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Throwable why = result.getThrowable().orElse(null);
        if (result.getStatus() == Status.SUCCESSFUL) {
            if (test.isTest()) {
                passed++;
                classes.add(test.getUniqueIdObject().getSegments().get(1).getValue());
                print("ok", test, "");
            }
        } else if (result.getStatus() == Status.ABORTED || hasNoProvider(test, why)) {
            print("none", test, ": " + why.getMessage().lines().findFirst().orElse(""));
        } else {
            failed++;
            print("FAIL", test, "");
            why.printStackTrace(System.out);
        }
    }

    /** JUnit takes it for a mistake when no provider is left to run a test with. */
    private static boolean hasNoProvider(TestIdentifier test, Throwable why) {
        return test.isContainer() && why != null && String.valueOf(why.getMessage()).contains("at least one set of");
    }

    private void print(String result, TestIdentifier test, String more) {
        String parent = plan.getParent(test).map(TestIdentifier::getDisplayName).orElse("");
        long millis = Duration.ofNanos(System.nanoTime() - started.get(test)).toMillis();
        System.out.println(result + ' ' + parent + ' ' + test.getDisplayName() + ' ' + millis + " ms" + more);
    }
}
