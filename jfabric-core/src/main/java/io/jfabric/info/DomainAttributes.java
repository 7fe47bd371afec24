// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.internal.info.DomainAttributesImpl;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a domain is and demands ({@code struct fi_domain_attr}, fi_domain(3)).
 *
 * <p>A view of native memory: reads and writes go straight to the {@code fi_info} it came from, and fail with
 * {@link IllegalStateException} once that is closed. Not thread-safe.
 */
public sealed interface DomainAttributes permits DomainAttributesImpl {
    /**
     * The open domain this entry belongs to ({@code fi_domain_attr.domain}).
     *
     * @return the address, 0 for none
     */
    long domainHandle();

    /**
     * Name of the device or interface ({@code fi_domain_attr.name}).
     *
     * @return the text; empty for none
     */
    Optional<String> name();

    /**
     * Sets {@code fi_domain_attr.name}.
     *
     * @param value the text; null for any
     * @return this
     */
    DomainAttributes name(@Nullable String value);

    /**
     * How the application serialises its calls ({@code fi_domain_attr.threading}).
     *
     * @return the constant, {@link Threading#UNRECOGNIZED} for a value jfabric does not know
     */
    Threading threading();

    /**
     * How the application serialises its calls, as a number.
     *
     * @return the value of {@code fi_domain_attr.threading}
     */
    int threadingCode();

    /**
     * Sets {@code fi_domain_attr.threading}.
     *
     * @param threading the constant
     * @return this
     */
    DomainAttributes threading(Threading threading);

    /**
     * Sets {@code fi_domain_attr.threading} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    DomainAttributes threadingCode(int code);

    /**
     * Who drives control operations ({@code fi_domain_attr.control_progress}).
     *
     * @return the constant, {@link Progress#UNRECOGNIZED} for a value jfabric does not know
     */
    Progress controlProgress();

    /**
     * Who drives control operations, as a number.
     *
     * @return the value of {@code fi_domain_attr.control_progress}
     */
    int controlProgressCode();

    /**
     * Sets {@code fi_domain_attr.control_progress}.
     *
     * @param progress the constant
     * @return this
     */
    DomainAttributes controlProgress(Progress progress);

    /**
     * Sets {@code fi_domain_attr.control_progress} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    DomainAttributes controlProgressCode(int code);

    /**
     * Who drives data transfers ({@code fi_domain_attr.data_progress}).
     *
     * @return the constant, {@link Progress#UNRECOGNIZED} for a value jfabric does not know
     */
    Progress dataProgress();

    /**
     * Who drives data transfers, as a number.
     *
     * @return the value of {@code fi_domain_attr.data_progress}
     */
    int dataProgressCode();

    /**
     * Sets {@code fi_domain_attr.data_progress}.
     *
     * @param progress the constant
     * @return this
     */
    DomainAttributes dataProgress(Progress progress);

    /**
     * Sets {@code fi_domain_attr.data_progress} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    DomainAttributes dataProgressCode(int code);

    /**
     * Who keeps queues from overrunning ({@code fi_domain_attr.resource_mgmt}).
     *
     * @return the constant, {@link ResourceManagement#UNRECOGNIZED} for a value jfabric does not know
     */
    ResourceManagement resourceManagement();

    /**
     * Who keeps queues from overrunning, as a number.
     *
     * @return the value of {@code fi_domain_attr.resource_mgmt}
     */
    int resourceManagementCode();

    /**
     * Sets {@code fi_domain_attr.resource_mgmt}.
     *
     * @param value the constant
     * @return this
     */
    DomainAttributes resourceManagement(ResourceManagement value);

    /**
     * Sets {@code fi_domain_attr.resource_mgmt} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    DomainAttributes resourceManagementCode(int code);

    /**
     * Kind of address vector ({@code fi_domain_attr.av_type}).
     *
     * @return the constant, {@link AvType#UNRECOGNIZED} for a value jfabric does not know
     */
    AvType avType();

    /**
     * Kind of address vector, as a number.
     *
     * @return the value of {@code fi_domain_attr.av_type}
     */
    int avTypeCode();

    /**
     * Sets {@code fi_domain_attr.av_type}.
     *
     * @param type the constant
     * @return this
     */
    DomainAttributes avType(AvType type);

    /**
     * Sets {@code fi_domain_attr.av_type} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    DomainAttributes avTypeCode(int code);

    /**
     * How memory is registered ({@code fi_domain_attr.mr_mode}).
     *
     * @return the flags, unknown bits included
     */
    Flags<MrMode> mrMode();

    /**
     * Sets {@code fi_domain_attr.mr_mode}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    DomainAttributes mrMode(Flags<MrMode> flags);

    /**
     * Sets {@code fi_domain_attr.mr_mode} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    DomainAttributes mrMode(MrMode... flags);

    /**
     * Capabilities of the domain ({@code fi_domain_attr.caps}).
     *
     * @return the flags, unknown bits included
     */
    Flags<Capability> capabilities();

    /**
     * Sets {@code fi_domain_attr.caps}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    DomainAttributes capabilities(Flags<Capability> flags);

    /**
     * Sets {@code fi_domain_attr.caps} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    DomainAttributes capabilities(Capability... flags);

    /**
     * Demands of the domain ({@code fi_domain_attr.mode}).
     *
     * @return the flags, unknown bits included
     */
    Flags<Mode> mode();

    /**
     * Sets {@code fi_domain_attr.mode}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    DomainAttributes mode(Flags<Mode> flags);

    /**
     * Sets {@code fi_domain_attr.mode} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    DomainAttributes mode(Mode... flags);

    /**
     * Authorisation key ({@code fi_domain_attr.auth_key}).
     *
     * @return a copy; empty for none
     */
    byte[] authKey();

    /**
     * Sets {@code fi_domain_attr.auth_key}.
     *
     * @param key the bytes; empty for none
     * @return this
     */
    DomainAttributes authKey(byte[] key);

    /**
     * Service level asked of the network ({@code fi_domain_attr.tclass}).
     *
     * @return the constant, {@link TrafficClass#UNRECOGNIZED} for a value jfabric does not know
     */
    TrafficClass trafficClass();

    /**
     * Service level asked of the network, as a number.
     *
     * @return the value of {@code fi_domain_attr.tclass}
     */
    int trafficClassCode();

    /**
     * Sets {@code fi_domain_attr.tclass}.
     *
     * @param value the constant
     * @return this
     */
    DomainAttributes trafficClass(TrafficClass value);

    /**
     * Sets {@code fi_domain_attr.tclass} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    DomainAttributes trafficClassCode(int code);

    /**
     * Size of {@link #authKey()}; since 2.0 also {@code FI_AV_AUTH_KEY} (-1), for keys that come from address vectors.
     *
     * @return the value of {@code fi_domain_attr.auth_key_size}
     */
    long authKeySize();

    /**
     * Sizes and numbers of the domain.
     *
     * @return a view
     */
    DomainLimits limits();
}
