// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;

/**
 * Memory of a peer: what a program needs to read and write it (fi_mr(3), fi_rma(3)).
 *
 * <p>The peer registers memory, takes {@link MemoryRegion#remote()} and sends {@link #toBytes()} out of band; this side
 * makes a region of the bytes and uses it in {@link Rma} and {@link Atomics}. Positions are offsets
 * from 0 on every provider: whether the wire carries virtual addresses ({@code FI_MR_VIRT_ADDR}), who chose the key
 * ({@code FI_MR_PROV_KEY}) and whether it must be mapped first ({@code FI_MR_RAW}) is hidden here. Every operation
 * checks that it stays inside the region.
 *
 * <p>That is only this side's check. Whether the peer's provider checks key, rights and range is up to the provider:
 * shm does not. Give a region only to peers that may use all of the memory behind it, and see "Remote access" in
 * docs/providers.md.
 *
 * <p>Immutable and thread-safe. A region says nothing about whether the memory is still registered.
 */
public final class RemoteRegion {
    /** "jfR" and the version of the format. */
    private static final int MAGIC = 0x6A665201;
    /** Far more than any provider's. */
    private static final int LONGEST_KEY = 4096;
    private static final int HEADER = 4 + 8 + 8 + 8;

    private final long base;
    private final long length;
    private final long key;
    /** Null where the key can be used as it is. */
    private final Raw raw;

    private RemoteRegion(long base, long length, long key, Raw raw) {
        if (length < 0) {
            throw new IllegalArgumentException("length: " + Long.toUnsignedString(length) + " bytes are more than "
                    + "there is memory");
        }
        if (length > 0 && Long.compareUnsigned(base + (length - 1), base) < 0) {
            throw new IllegalArgumentException("base and length: " + length + " bytes at 0x" + Long.toHexString(base)
                    + " do not end before memory does");
        }
        this.base = base;
        this.length = length;
        this.key = key;
        this.raw = raw;
    }

    /**
     * Describes memory whose address and key came another way, such as from a C program.
     *
     * @param base what the provider takes for the first byte: its virtual address on providers with
     *     {@link io.jfabric.info.MrMode#VIRT_ADDR}, else 0
     * @param length in bytes
     * @param key the key ({@code fi_mr_key})
     * @return the region
     */
    public static RemoteRegion of(long base, long length, long key) {
        return new RemoteRegion(base, length, key, null);
    }

    /**
     * Describes memory whose raw key came another way ({@code fi_mr_raw_attr}). It is mapped when it is first
     * used; see {@link Domain#mapKey}.
     *
     * @param base what the provider takes for the first byte
     * @param length in bytes
     * @param rawBase the base address that belongs to the raw key
     * @param rawKey the raw key
     * @return the region
     */
    public static RemoteRegion ofRaw(long base, long length, long rawBase, byte[] rawKey) {
        Objects.requireNonNull(rawKey, "RemoteRegion.ofRaw: the key is null");
        if (rawKey.length == 0 || rawKey.length > LONGEST_KEY) {
            throw new IllegalArgumentException("rawKey: " + rawKey.length + " bytes; keys have 1 to " + LONGEST_KEY);
        }
        return new RemoteRegion(base, length, -1, new Raw(rawBase, rawKey.clone()));
    }

    /**
     * Reads a region that {@link #toBytes()} wrote, on this or another machine.
     *
     * @param bytes the bytes
     * @return the region
     * @throws IllegalArgumentException if they are not those of a region
     */
    public static RemoteRegion of(byte[] bytes) {
        Objects.requireNonNull(bytes, "RemoteRegion.of: the bytes are null");
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            if (in.getInt() == MAGIC) {
                long base = in.getLong();
                long length = in.getLong();
                long key = in.getLong();
                if (bytes.length == HEADER) {
                    return new RemoteRegion(base, length, key, null);
                }
                byte[] rawKey = new byte[bytes.length - HEADER];
                in.get(rawKey);
                return ofRaw(base, length, key, rawKey);
            }
        } catch (BufferUnderflowException tooShort) {
            // as wrong as any other bytes
        }
        throw new IllegalArgumentException("these " + bytes.length + " bytes are not a RemoteRegion; take "
                + "MemoryRegion.remote().toBytes() of the same version of jfabric");
    }

    /**
     * The region as bytes, independent of the machine's byte order.
     *
     * @return a new array, 28 bytes and the raw key if there is one
     */
    public byte[] toBytes() {
        byte[] rawKey = raw == null ? new byte[0] : raw.bytes;
        return ByteBuffer.allocate(HEADER + rawKey.length)
                .putInt(MAGIC).putLong(base).putLong(length).putLong(raw == null ? key : raw.base).put(rawKey)
                .array();
    }

    /**
     * The size of the region.
     *
     * @return in bytes
     */
    public long byteSize() {
        return length;
    }

    /**
     * What the provider takes for the first byte.
     *
     * @return a virtual address of the peer, or an offset
     */
    public long base() {
        return base;
    }

    /**
     * The key.
     *
     * @return the key; -1 ({@code FI_KEY_NOTAVAIL}) if it has to be mapped first
     */
    public long key() {
        return key;
    }

    /**
     * A part of the region.
     *
     * @param offset where the part starts, in bytes
     * @param size how long it is, in bytes
     * @return a region whose offset 0 is the part's first byte
     * @throws IndexOutOfBoundsException if the part is not inside the region
     */
    public RemoteRegion slice(long offset, long size) {
        if ((offset | size) < 0 || size > length - offset) {
            throw new IndexOutOfBoundsException("slice: offset " + offset + " and length " + size
                    + " are not inside the region of " + length + " bytes");
        }
        return new RemoteRegion(base + offset, size, key, raw);
    }

    /**
     * The key that has to be mapped before it is used ({@code FI_MR_RAW}).
     *
     * @return the raw key; empty if {@link #key()} can be used as it is
     */
    public Optional<Raw> rawKey() {
        return raw == null ? Optional.empty() : raw.present;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RemoteRegion r && r.base == base && r.length == length && r.key == key
                && Objects.equals(r.raw, raw);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(new long[] {base, length, key}) + Objects.hashCode(raw);
    }

    /** Base, length and key, for people. */
    @Override
    public String toString() {
        return "remote region of " + length + " bytes at 0x" + Long.toHexString(base) + ", key "
                + (raw == null ? "0x" + Long.toHexString(key) : HexFormat.of().formatHex(raw.bytes));
    }

    /** A key as the registering side sees it, which the side that uses it must map first ({@code fi_mr_map_raw}). */
    public static final class Raw {
        private final long base;
        private final byte[] bytes;
        private final int hash;
        /** Made once: operations ask for it. */
        private final Optional<Raw> present = Optional.of(this);

        private Raw(long base, byte[] bytes) {
            this.base = base;
            this.bytes = bytes;
            this.hash = 31 * Arrays.hashCode(bytes) + Long.hashCode(base);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Raw k && k.hash == hash && k.base == base && Arrays.equals(k.bytes, bytes);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        /**
         * The base address that belongs to the key.
         *
         * @return an address of the peer
         */
        public long base() {
            return base;
        }

        /**
         * The key itself.
         *
         * @return a copy
         */
        public byte[] bytes() {
            return bytes.clone();
        }
    }
}
