// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_domain_attr;
import io.jfabric.bindings.fi_info;
import io.jfabric.info.AvType;
import io.jfabric.info.Capability;
import io.jfabric.info.DomainAttributes;
import io.jfabric.info.Flags;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import io.jfabric.info.Progress;
import io.jfabric.info.ResourceManagement;
import io.jfabric.info.Threading;
import io.jfabric.info.TrafficClass;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.library.InfoMemory;
import java.util.Optional;

/** {@link DomainAttributes}. */
public final class DomainAttributesImpl extends AttributeView implements DomainAttributes {
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

    /** The settings in which endpoints and what they are bound to have to agree. */
    private static final long[] SETTINGS =
        {THREADING, CONTROL_PROGRESS, DATA_PROGRESS, RESOURCE_MGMT, AV_TYPE, MR_MODE};

    private final DomainLimitsImpl limits;

    /**
     * Made by the {@code fi_info} it belongs to.
     *
     * @param memory the {@code fi_info}
     */
    public DomainAttributesImpl(InfoMemory memory) {
        super(memory, fi_info.domain_attr$offset(), "fi_domain_attr");
        limits = new DomainLimitsImpl(memory);
    }

    @Override
    public long domainHandle() {
        return getLong(DOMAIN);
    }

    @Override
    public Optional<String> name() {
        return Optional.ofNullable(getString(NAME));
    }

    @Override
    public DomainAttributesImpl name(String value) {
        putString(NAME, value);
        return this;
    }

    @Override
    public Threading threading() {
        return Threading.ofCode(getInt(THREADING));
    }

    @Override
    public int threadingCode() {
        return getInt(THREADING);
    }

    @Override
    public DomainAttributesImpl threading(Threading threading) {
        return threadingCode(Constants.codeOf(threading, Threading.UNRECOGNIZED, "threading"));
    }

    @Override
    public DomainAttributesImpl threadingCode(int code) {
        putInt(THREADING, code);
        return this;
    }

    @Override
    public Progress controlProgress() {
        return Progress.ofCode(getInt(CONTROL_PROGRESS));
    }

    @Override
    public int controlProgressCode() {
        return getInt(CONTROL_PROGRESS);
    }

    @Override
    public DomainAttributesImpl controlProgress(Progress progress) {
        return controlProgressCode(Constants.codeOf(progress, Progress.UNRECOGNIZED, "controlProgress"));
    }

    @Override
    public DomainAttributesImpl controlProgressCode(int code) {
        putInt(CONTROL_PROGRESS, code);
        return this;
    }

    @Override
    public Progress dataProgress() {
        return Progress.ofCode(getInt(DATA_PROGRESS));
    }

    @Override
    public int dataProgressCode() {
        return getInt(DATA_PROGRESS);
    }

    @Override
    public DomainAttributesImpl dataProgress(Progress progress) {
        return dataProgressCode(Constants.codeOf(progress, Progress.UNRECOGNIZED, "dataProgress"));
    }

    @Override
    public DomainAttributesImpl dataProgressCode(int code) {
        putInt(DATA_PROGRESS, code);
        return this;
    }

    @Override
    public ResourceManagement resourceManagement() {
        return ResourceManagement.ofCode(getInt(RESOURCE_MGMT));
    }

    @Override
    public int resourceManagementCode() {
        return getInt(RESOURCE_MGMT);
    }

    @Override
    public DomainAttributesImpl resourceManagement(ResourceManagement value) {
        return resourceManagementCode(Constants.codeOf(value, ResourceManagement.UNRECOGNIZED, "resourceManagement"));
    }

    @Override
    public DomainAttributesImpl resourceManagementCode(int code) {
        putInt(RESOURCE_MGMT, code);
        return this;
    }

    @Override
    public AvType avType() {
        return AvType.ofCode(getInt(AV_TYPE));
    }

    @Override
    public int avTypeCode() {
        return getInt(AV_TYPE);
    }

    @Override
    public DomainAttributesImpl avType(AvType type) {
        return avTypeCode(Constants.codeOf(type, AvType.UNRECOGNIZED, "avType"));
    }

    @Override
    public DomainAttributesImpl avTypeCode(int code) {
        putInt(AV_TYPE, code);
        return this;
    }

    @Override
    public Flags<MrMode> mrMode() {
        return Flags.ofBits(MrMode.class, Integer.toUnsignedLong(getInt(MR_MODE)));
    }

    @Override
    public DomainAttributesImpl mrMode(Flags<MrMode> flags) {
        putInt(MR_MODE, (int) Known.require(flags, "mrMode").bits());
        return this;
    }

    @Override
    public DomainAttributesImpl mrMode(MrMode... flags) {
        return mrMode(Flags.of(MrMode.class, Arguments.all("mrMode", "a flag", flags)));
    }

    @Override
    public Flags<Capability> capabilities() {
        return Flags.ofBits(Capability.class, getLong(CAPS));
    }

    @Override
    public DomainAttributesImpl capabilities(Flags<Capability> flags) {
        putLong(CAPS, Known.require(flags, "caps").bits());
        return this;
    }

    @Override
    public DomainAttributesImpl capabilities(Capability... flags) {
        return capabilities(Flags.of(Capability.class, Arguments.all("capabilities", "a flag", flags)));
    }

    @Override
    public Flags<Mode> mode() {
        return Flags.ofBits(Mode.class, getLong(MODE));
    }

    @Override
    public DomainAttributesImpl mode(Flags<Mode> flags) {
        putLong(MODE, Known.require(flags, "mode").bits());
        return this;
    }

    @Override
    public DomainAttributesImpl mode(Mode... flags) {
        return mode(Flags.of(Mode.class, Arguments.all("mode", "a flag", flags)));
    }

    @Override
    public byte[] authKey() {
        return getBytes(AUTH_KEY, AUTH_KEY_SIZE);
    }

    @Override
    public DomainAttributesImpl authKey(byte[] key) {
        putBytes(AUTH_KEY, AUTH_KEY_SIZE, key);
        return this;
    }

    /**
     * Takes over what a domain was opened with: providers look at either info, as if an endpoint's could not differ
     * from its domain's.
     */
    public void follow(DomainAttributesImpl domain) {
        for (long field : SETTINGS) {
            putInt(field, domain.getInt(field));
        }
    }

    /** Drops a key that is somebody else's, without freeing it. */
    void withoutAuthKey() {
        putLong(AUTH_KEY, 0);
        putLong(AUTH_KEY_SIZE, 0);
    }

    @Override
    public TrafficClass trafficClass() {
        return TrafficClass.ofCode(getInt(TCLASS));
    }

    @Override
    public int trafficClassCode() {
        return getInt(TCLASS);
    }

    @Override
    public DomainAttributesImpl trafficClass(TrafficClass value) {
        return trafficClassCode(Constants.codeOf(value, TrafficClass.UNRECOGNIZED, "trafficClass"));
    }

    @Override
    public DomainAttributesImpl trafficClassCode(int code) {
        putInt(TCLASS, code);
        return this;
    }

    @Override
    public long authKeySize() {
        return getLong(AUTH_KEY_SIZE);
    }

    @Override
    public DomainLimitsImpl limits() {
        return limits;
    }

    /** Libfabric's own text ({@code fi_tostr}). */
    @Override
    public String toString() {
        return text(Libfabric.FI_TYPE_DOMAIN_ATTR());
    }
}
