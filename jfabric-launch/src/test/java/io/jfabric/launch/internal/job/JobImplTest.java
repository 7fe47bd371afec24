// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.async.Node;
import io.jfabric.launch.JobException;
import io.jfabric.launch.JobOptions;
import io.jfabric.launch.Way;
import io.jfabric.launch.WhenLost;
import io.jfabric.launch.internal.session.Alone;
import io.jfabric.launch.internal.session.Session;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class JobImplTest {
    private final Alone real = new Alone();
    private boolean refuses = true;

    /** Refuses the first value. */
    private Object call(Object session, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("put") && refuses) {
            refuses = false;
            throw new JobException("put: not now");
        }
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void aValueThatWasRefusedCanBePutAgain() {
        Session session = (Session) Proxy.newProxyInstance(Session.class.getClassLoader(),
                new Class<?>[] {Session.class}, this::call);
        JobOptions options = JobOptions.DEFAULT;
        try (JobImpl job = new JobImpl(options, Way.ALONE, session, new Losses(options.whenLost()), List.of("here"))) {
            byte[] value = {1};
            assertThatThrownBy(() -> job.put("key", value)).hasMessage("put: not now");
            job.put("key", value);
            assertThat(job.get(0, "key")).isEqualTo(value);
            assertThatIllegalStateException().isThrownBy(() -> job.put("key", value)).withMessageContaining("before");
        }
    }

    @Test
    void whatIsMissingIsNamed() {
        JobImpl job = new JobImpl(JobOptions.DEFAULT, Way.ALONE, real, new Losses(WhenLost.REPORT), List.of("here"));
        missing("put: the key is null", () -> job.put(null, new byte[1]));
        missing("put: the value is null", () -> job.put("key", null));
        missing("get: the key is null", () -> job.get(0, null));
        missing("exchange: the value is null", () -> job.exchange((byte[]) null));
        missing("exchange: the node is null", () -> job.exchange((Node) null));
        missing("exchange: the endpoint is null", () -> job.exchange(null, null));
        missing("onLost: the handler is null", () -> job.onLost(null));
        missing("abort: the message is null", () -> job.abort(null, 1));
    }

    private static void missing(String message, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(message);
    }
}
