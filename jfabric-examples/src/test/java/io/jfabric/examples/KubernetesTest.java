// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The manifests that are there to be copied fit together. */
@SuppressWarnings("unchecked") // of YAML
class KubernetesTest {
    private final Map<String, Map<String, Object>> byKind = new HashMap<>();

    @BeforeEach
    void parse() throws Exception {
        try (Reader in = Files.newBufferedReader(Path.of("src/main/kubernetes/job.yaml"))) {
            new Yaml().loadAll(in).forEach(each -> {
                Map<String, Object> object = (Map<String, Object>) each;
                byKind.put((String) object.get("kind"), object);
            });
        }
    }

    private static <T> T at(Object from, Object... path) {
        Object value = from;
        for (Object step : path) {
            value = step instanceof Integer index ? ((List<Object>) value).get(index)
                    : ((Map<String, Object>) value).get(step);
            assertThat(value).as("%s of %s", step, List.of(path)).isNotNull();
        }
        return (T) value;
    }

    @Test
    void jobServiceAndSecretFitTogether() {
        assertThat(byKind).containsOnlyKeys("Service", "Secret", "Job");
        String name = at(byKind.get("Job"), "metadata", "name");
        String service = at(byKind.get("Service"), "metadata", "name");
        assertThat(KubernetesTest.<String>at(byKind.get("Service"), "spec", "clusterIP")).isEqualTo("None");
        assertThat(KubernetesTest.<String>at(byKind.get("Service"), "spec", "selector", "job-name")).isEqualTo(name);
        Map<String, Object> spec = at(byKind.get("Job"), "spec");
        assertThat(spec).containsEntry("completionMode", "Indexed");
        assertThat(spec.get("completions")).isEqualTo(spec.get("parallelism"));
        assertThat(KubernetesTest.<String>at(spec, "template", "spec", "subdomain")).isEqualTo(service);

        Map<String, Object> container = at(spec, "template", "spec", "containers", 0);
        Map<String, Map<String, Object>> variables = new HashMap<>();
        KubernetesTest.<List<Map<String, Object>>>at(container, "env")
                .forEach(variable -> variables.put((String) variable.get("name"), variable));
        int port = at(container, "ports", 0, "containerPort");
        assertThat(variables.get("JFABRIC_RENDEZVOUS").get("value"))
                .isEqualTo(name + "-0." + service + ":" + port);
        assertThat(variables.get("JFABRIC_SIZE").get("value")).isEqualTo(spec.get("completions").toString());
        Map<String, Object> secret = at(variables.get("JFABRIC_SECRET"), "valueFrom", "secretKeyRef");
        assertThat(secret.get("name")).isEqualTo(at(byKind.get("Secret"), "metadata", "name"));
        assertThat(KubernetesTest.<Map<String, Object>>at(byKind.get("Secret"), "stringData"))
                .containsKey((String) secret.get("key"));
        assertThat(KubernetesTest.<List<String>>at(container, "command")).contains(DistributedSort.class.getName());
    }
}
