// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.FabricConstant;

/** Whose memory a buffer is ({@code enum fi_hmem_iface}, fi_mr(3)). */
public enum HmemInterface implements FabricConstant {
    /** Main memory. */
    SYSTEM(Libfabric.FI_HMEM_SYSTEM()),
    /** NVIDIA CUDA; the device is a {@code CUdevice}. */
    CUDA(Libfabric.FI_HMEM_CUDA()),
    /** AMD ROCr. */
    ROCR(Libfabric.FI_HMEM_ROCR()),
    /** oneAPI Level Zero; the device is made by {@link #zeDevice}. */
    ZE(Libfabric.FI_HMEM_ZE()),
    /** AWS Neuron; the device is the number of a Trainium. */
    NEURON(Libfabric.FI_HMEM_NEURON()),
    /** Habana SynapseAI; the device is the number of a Gaudi. */
    SYNAPSEAI(Libfabric.FI_HMEM_SYNAPSEAI());

    private final long code;

    HmemInterface(long code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_HMEM_" + name();
    }

    /**
     * The device number of a Level Zero device ({@code fi_hmem_ze_device}).
     *
     * @param driver index of the driver, as {@code zeDriverGet} orders them, 0 to 32767
     * @param device index of the device, as {@code zeDeviceGet} orders them, 0 to 65535
     * @return what {@link MemoryRegionAttributes#device} takes
     */
    public static int zeDevice(int driver, int device) {
        if (driver < 0 || driver > Short.MAX_VALUE || device < 0 || device > 0xFFFF) {
            throw new IllegalArgumentException("zeDevice: driver " + driver + " is not between 0 and 32767, or device "
                    + device + " not between 0 and 65535");
        }
        return driver << 16 | device;
    }
}
