// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_domain_attr;
import io.jfabric.bindings.fi_info;
import io.jfabric.ffi.InfoMemory;
import java.util.List;

/**
 * What a domain is and demands ({@code struct fi_domain_attr}, fi_domain(3)).
 *
 * <p>A view of native memory: reads and writes go straight to the {@code fi_info} it came from, and fail with
 * {@link IllegalStateException} once that is closed. Not thread-safe.
 */
public final class DomainAttributes extends Attributes {
    private static final long DOMAIN = fi_domain_attr.domain$offset();
    private static final long NAME = fi_domain_attr.name$offset();
    private static final long THREADING = fi_domain_attr.threading$offset();
    private static final long CONTROL_PROGRESS = fi_domain_attr.control_progress$offset();
    private static final long DATA_PROGRESS = fi_domain_attr.data_progress$offset();
    private static final long RESOURCE_MGMT = fi_domain_attr.resource_mgmt$offset();
    private static final long AV_TYPE = fi_domain_attr.av_type$offset();
    private static final long MR_MODE = fi_domain_attr.mr_mode$offset();
    private static final long CAPS = fi_domain_attr.caps$offset();
    private static final long MODE = fi_domain_attr.mode$offset();
    private static final long AUTH_KEY = fi_domain_attr.auth_key$offset();
    private static final long AUTH_KEY_SIZE = fi_domain_attr.auth_key_size$offset();
    private static final long TCLASS = fi_domain_attr.tclass$offset();

    private final DomainLimits limits;

    /**
     * Made by the {@code fi_info} it belongs to.
     *
     * @param memory the {@code fi_info}
     */
    @SuppressWarnings("exports")
    public DomainAttributes(InfoMemory memory) {
        super(memory, fi_info.domain_attr$offset(), "fi_domain_attr");
        limits = new DomainLimits(memory);
    }

    /**
     * The open domain this entry belongs to ({@code fi_domain_attr.domain}).
     *
     * @return the address, 0 for none
     */
    public long domainHandle() {
        return getLong(DOMAIN);
    }

    /**
     * Name of the device or interface ({@code fi_domain_attr.name}).
     *
     * @return the text; null for none
     */
    public String name() {
        return getString(NAME);
    }

    /**
     * Sets {@code fi_domain_attr.name}.
     *
     * @param value the text; null for any
     * @return this
     */
    public DomainAttributes name(String value) {
        putString(NAME, value);
        return this;
    }

    /**
     * How the application serialises its calls ({@code fi_domain_attr.threading}).
     *
     * @return the constant, {@link Threading#UNRECOGNIZED} for a value jfabric does not know
     */
    public Threading threading() {
        return Threading.ofCode(getInt(THREADING));
    }

    /**
     * How the application serialises its calls, as a number.
     *
     * @return the value of {@code fi_domain_attr.threading}
     */
    public int threadingCode() {
        return getInt(THREADING);
    }

    /**
     * Sets {@code fi_domain_attr.threading}.
     *
     * @param threading the constant
     * @return this
     */
    public DomainAttributes threading(Threading threading) {
        return threadingCode(Constants.codeOf(threading, Threading.UNRECOGNIZED, "threading"));
    }

    /**
     * Sets {@code fi_domain_attr.threading} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    public DomainAttributes threadingCode(int code) {
        putInt(THREADING, code);
        return this;
    }

    /**
     * Who drives control operations ({@code fi_domain_attr.control_progress}).
     *
     * @return the constant, {@link Progress#UNRECOGNIZED} for a value jfabric does not know
     */
    public Progress controlProgress() {
        return Progress.ofCode(getInt(CONTROL_PROGRESS));
    }

    /**
     * Who drives control operations, as a number.
     *
     * @return the value of {@code fi_domain_attr.control_progress}
     */
    public int controlProgressCode() {
        return getInt(CONTROL_PROGRESS);
    }

    /**
     * Sets {@code fi_domain_attr.control_progress}.
     *
     * @param progress the constant
     * @return this
     */
    public DomainAttributes controlProgress(Progress progress) {
        return controlProgressCode(Constants.codeOf(progress, Progress.UNRECOGNIZED, "controlProgress"));
    }

    /**
     * Sets {@code fi_domain_attr.control_progress} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    public DomainAttributes controlProgressCode(int code) {
        putInt(CONTROL_PROGRESS, code);
        return this;
    }

    /**
     * Who drives data transfers ({@code fi_domain_attr.data_progress}).
     *
     * @return the constant, {@link Progress#UNRECOGNIZED} for a value jfabric does not know
     */
    public Progress dataProgress() {
        return Progress.ofCode(getInt(DATA_PROGRESS));
    }

    /**
     * Who drives data transfers, as a number.
     *
     * @return the value of {@code fi_domain_attr.data_progress}
     */
    public int dataProgressCode() {
        return getInt(DATA_PROGRESS);
    }

    /**
     * Sets {@code fi_domain_attr.data_progress}.
     *
     * @param progress the constant
     * @return this
     */
    public DomainAttributes dataProgress(Progress progress) {
        return dataProgressCode(Constants.codeOf(progress, Progress.UNRECOGNIZED, "dataProgress"));
    }

    /**
     * Sets {@code fi_domain_attr.data_progress} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    public DomainAttributes dataProgressCode(int code) {
        putInt(DATA_PROGRESS, code);
        return this;
    }

    /**
     * Who keeps queues from overrunning ({@code fi_domain_attr.resource_mgmt}).
     *
     * @return the constant, {@link ResourceManagement#UNRECOGNIZED} for a value jfabric does not know
     */
    public ResourceManagement resourceManagement() {
        return ResourceManagement.ofCode(getInt(RESOURCE_MGMT));
    }

    /**
     * Who keeps queues from overrunning, as a number.
     *
     * @return the value of {@code fi_domain_attr.resource_mgmt}
     */
    public int resourceManagementCode() {
        return getInt(RESOURCE_MGMT);
    }

    /**
     * Sets {@code fi_domain_attr.resource_mgmt}.
     *
     * @param value the constant
     * @return this
     */
    public DomainAttributes resourceManagement(ResourceManagement value) {
        return resourceManagementCode(Constants.codeOf(value, ResourceManagement.UNRECOGNIZED, "resourceManagement"));
    }

    /**
     * Sets {@code fi_domain_attr.resource_mgmt} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    public DomainAttributes resourceManagementCode(int code) {
        putInt(RESOURCE_MGMT, code);
        return this;
    }

    /**
     * Kind of address vector ({@code fi_domain_attr.av_type}).
     *
     * @return the constant, {@link AvType#UNRECOGNIZED} for a value jfabric does not know
     */
    public AvType avType() {
        return AvType.ofCode(getInt(AV_TYPE));
    }

    /**
     * Kind of address vector, as a number.
     *
     * @return the value of {@code fi_domain_attr.av_type}
     */
    public int avTypeCode() {
        return getInt(AV_TYPE);
    }

    /**
     * Sets {@code fi_domain_attr.av_type}.
     *
     * @param type the constant
     * @return this
     */
    public DomainAttributes avType(AvType type) {
        return avTypeCode(Constants.codeOf(type, AvType.UNRECOGNIZED, "avType"));
    }

    /**
     * Sets {@code fi_domain_attr.av_type} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    public DomainAttributes avTypeCode(int code) {
        putInt(AV_TYPE, code);
        return this;
    }

    /**
     * How memory is registered ({@code fi_domain_attr.mr_mode}).
     *
     * @return the flags, unknown bits included
     */
    public Flags<MrMode> mrMode() {
        return Flags.ofBits(MrMode.class, Integer.toUnsignedLong(getInt(MR_MODE)));
    }

    /**
     * Sets {@code fi_domain_attr.mr_mode}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    public DomainAttributes mrMode(Flags<MrMode> flags) {
        putInt(MR_MODE, (int) checked(flags, "mrMode").bits());
        return this;
    }

    /**
     * Sets {@code fi_domain_attr.mr_mode} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    public DomainAttributes mrMode(MrMode... flags) {
        return mrMode(Flags.of(MrMode.class, List.of(flags)));
    }

    /**
     * Capabilities of the domain ({@code fi_domain_attr.caps}).
     *
     * @return the flags, unknown bits included
     */
    public Flags<Capability> capabilities() {
        return Flags.ofBits(Capability.class, getLong(CAPS));
    }

    /**
     * Sets {@code fi_domain_attr.caps}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    public DomainAttributes capabilities(Flags<Capability> flags) {
        putLong(CAPS, checked(flags, "caps").bits());
        return this;
    }

    /**
     * Sets {@code fi_domain_attr.caps} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    public DomainAttributes capabilities(Capability... flags) {
        return capabilities(Flags.of(Capability.class, List.of(flags)));
    }

    /**
     * Demands of the domain ({@code fi_domain_attr.mode}).
     *
     * @return the flags, unknown bits included
     */
    public Flags<Mode> mode() {
        return Flags.ofBits(Mode.class, getLong(MODE));
    }

    /**
     * Sets {@code fi_domain_attr.mode}.
     *
     * @param flags the flags, unknown bits included
     * @return this
     */
    public DomainAttributes mode(Flags<Mode> flags) {
        putLong(MODE, checked(flags, "mode").bits());
        return this;
    }

    /**
     * Sets {@code fi_domain_attr.mode} to exactly these constants.
     *
     * @param flags the constants; an empty array clears the attribute
     * @return this
     */
    public DomainAttributes mode(Mode... flags) {
        return mode(Flags.of(Mode.class, List.of(flags)));
    }

    /**
     * Authorisation key ({@code fi_domain_attr.auth_key}).
     *
     * @return a copy; empty for none
     */
    public byte[] authKey() {
        return getBytes(AUTH_KEY, getLong(AUTH_KEY_SIZE));
    }

    /**
     * Sets {@code fi_domain_attr.auth_key}.
     *
     * @param key the bytes; empty for none
     * @return this
     */
    public DomainAttributes authKey(byte[] key) {
        putBytes(AUTH_KEY, key);
        putLong(AUTH_KEY_SIZE, key.length);
        return this;
    }

    /**
     * Service level asked of the network ({@code fi_domain_attr.tclass}).
     *
     * @return the constant, {@link TrafficClass#UNRECOGNIZED} for a value jfabric does not know
     */
    public TrafficClass trafficClass() {
        return TrafficClass.ofCode(getInt(TCLASS));
    }

    /**
     * Service level asked of the network, as a number.
     *
     * @return the value of {@code fi_domain_attr.tclass}
     */
    public int trafficClassCode() {
        return getInt(TCLASS);
    }

    /**
     * Sets {@code fi_domain_attr.tclass}.
     *
     * @param value the constant
     * @return this
     */
    public DomainAttributes trafficClass(TrafficClass value) {
        return trafficClassCode(Constants.codeOf(value, TrafficClass.UNRECOGNIZED, "trafficClass"));
    }

    /**
     * Sets {@code fi_domain_attr.tclass} to a number, for values jfabric has no constant for.
     *
     * @param code the value
     * @return this
     */
    public DomainAttributes trafficClassCode(int code) {
        putInt(TCLASS, code);
        return this;
    }

    /**
     * Size of {@link #authKey()}; since 2.0 also {@code FI_AV_AUTH_KEY} (-1), for keys that come from address vectors.
     *
     * @return the value of {@code fi_domain_attr.auth_key_size}
     */
    public long authKeySize() {
        return getLong(AUTH_KEY_SIZE);
    }

    /**
     * Sizes and numbers of the domain.
     *
     * @return a view
     */
    public DomainLimits limits() {
        return limits;
    }

    /** Libfabric's own text ({@code fi_tostr}). */
    @Override
    public String toString() {
        return text(Libfabric.FI_TYPE_DOMAIN_ATTR());
    }
}
