// SPDX-License-Identifier: Apache-2.0
package io.jfabric.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A number that something has, and what its meter is called. Its function must not know the object, so that this may be
 * collected.
 *
 * @param tags beside those of the object
 * @param unit null for none
 */
record Reading<T>(Meter.Type type, String name, Tags tags, String description, @Nullable String unit,
        ToDoubleFunction<T> value) {
    static <T> Reading<T> counter(String name, String description, ToDoubleFunction<T> value) {
        return new Reading<>(Meter.Type.COUNTER, name, Tags.empty(), description, null, value);
    }

    static <T> Reading<T> gauge(String name, String description, ToDoubleFunction<T> value) {
        return new Reading<>(Meter.Type.GAUGE, name, Tags.empty(), description, null, value);
    }

    Reading<T> inBytes() {
        return new Reading<>(type, name, tags, description, "bytes", value);
    }

    Reading<T> with(String key, String tag) {
        return new Reading<>(type, name, tags.and(key, tag), description, unit, value);
    }

    /** In place of one of the same name and tags, which the registry would keep: its source may be closed. */
    Meter register(MeterRegistry registry, T source, Tags ofSource) {
        Tags all = ofSource.and(tags);
        registry.removeByPreFilterId(new Meter.Id(name, all, null, null, type));
        return type == Meter.Type.COUNTER
                ? FunctionCounter.builder(name, source, lasting(value)).tags(all).description(description)
                        .baseUnit(unit).register(registry)
                : Gauge.builder(name, source, orNoneWhenClosed(value)).tags(all).description(description)
                        .baseUnit(unit).register(registry);
    }

    /**
     * What was read last, once the object is closed. An attempt that the provider turns down counts for a moment, and
     * what falls looks as if it had begun anew: it never does.
     */
    private static <T> ToDoubleFunction<T> lasting(ToDoubleFunction<T> count) {
        double[] last = new double[1];
        return source -> {
            synchronized (last) {
                last[0] = Math.max(last[0], orWhenClosed(count, source, last[0]));
                return last[0];
            }
        };
    }

    private static <T> ToDoubleFunction<T> orNoneWhenClosed(ToDoubleFunction<T> value) {
        return source -> orWhenClosed(value, source, 0);
    }

    private static <T> double orWhenClosed(ToDoubleFunction<T> value, T source, double then) {
        try {
            return value.applyAsDouble(source);
        } catch (IllegalStateException closed) {
            return then;
        }
    }
}
