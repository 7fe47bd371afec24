// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.library;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The libfabric that a program brings along in a jar of {@code scripts/bundle-native}: an index, which lists each file
 * with its SHA-256 as {@code sha256sum} does, libfabric last and each file after those that it needs, and the files
 * beside it. They are written to a directory of the user's once, and checked there each time.
 */
final class BundledLibrary {
    private static final Pattern LINE = Pattern.compile("([0-9a-f]{64}) [ *]([A-Za-z0-9_+][A-Za-z0-9._+-]*)");
    /** How much of the index's hash the directory's name has. */
    private static final int NAME_DIGITS = 32;

    private final URL index;
    private final String digest;
    private final Map<String, String> digests = new LinkedHashMap<>();

    private BundledLibrary(URL index) throws IOException {
        this.index = index;
        byte[] text;
        try (InputStream in = stream(index)) {
            text = in.readAllBytes();
        }
        digest = digest(new ByteArrayInputStream(text));
        for (String line : new String(text, StandardCharsets.UTF_8).lines().toList()) {
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw new IOException(index + " is damaged: \"" + line + "\" is not a line of an index; make the "
                        + "jar again with scripts/bundle-native");
            }
            digests.put(matcher.group(2), matcher.group(1));
        }
        if (digests.isEmpty()) {
            throw new IOException(index + " is empty; make the jar again with scripts/bundle-native");
        }
    }

    /** Where the index is for this processor, among the resources of class path and modules. */
    static String resource() {
        String arch = System.getProperty("os.arch", "");
        return "META-INF/jfabric/linux-" + (arch.equals("amd64") ? "x86_64" : arch) + "/index";
    }

    /** The bundle of jfabric's class loader, or of this thread's, as cluster frameworks set it; null without one. */
    static BundledLibrary find() throws IOException {
        List<ClassLoader> loaders = Stream.of(BundledLibrary.class.getClassLoader(),
                Thread.currentThread().getContextClassLoader(), ClassLoader.getSystemClassLoader())
                .filter(loader -> loader != null).toList();
        for (ClassLoader loader : loaders) {
            URL index = loader.getResource(resource());
            if (index != null) {
                return new BundledLibrary(index);
            }
        }
        return null;
    }

    /** Where it came from. */
    @Override
    public String toString() {
        return index.toString();
    }

    /**
     * The files, in the order in which they are to be loaded: libfabric is the last.
     *
     * @throws IOException if they cannot be written, or what is there is not what was written; says which and why
     */
    List<Path> extract() throws IOException {
        Path directory = PrivateDirectory.open("jfabric-native-" + digest.substring(0, NAME_DIGITS));
        List<Path> files = new ArrayList<>();
        for (Map.Entry<String, String> entry : digests.entrySet()) {
            Path file = directory.resolve(entry.getKey());
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                write(file, entry.getValue());
            }
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException(file + " is not a regular file; delete " + directory);
            }
            String found;
            try (InputStream in = Files.newInputStream(file)) {
                found = digest(in);
            }
            if (!found.equals(entry.getValue())) {
                throw new IOException(file + " was changed after it was written (its SHA-256 is " + found
                        + ", not the " + entry.getValue() + " of the index); delete " + directory);
            }
            files.add(file);
        }
        return files;
    }

    // Another JVM may do the same now: each writes a file of its own, and either result is complete.
    private void write(Path file, String expected) throws IOException {
        URL resource = beside(index, file.getFileName().toString());
        byte[] bytes;
        try (InputStream in = stream(resource)) {
            bytes = in.readAllBytes();
        }
        String found = digest(new ByteArrayInputStream(bytes));
        if (!found.equals(expected)) {
            throw new IOException(resource + " is damaged (its SHA-256 is " + found + ", not the " + expected
                    + " of the index); make the jar again with scripts/bundle-native");
        }
        PrivateDirectory.write(file, bytes);
    }

    // URL.of takes URIs only, which not every class path's URL is: one with a space in it, or a container's own
    @SuppressWarnings("deprecation")
    private static URL beside(URL index, String name) throws IOException {
        return new URL(index, name);
    }

    private static InputStream stream(URL url) throws IOException {
        URLConnection connection = url.openConnection();
        // a cached jar would stay open
        connection.setUseCaches(false);
        return connection.getInputStream();
    }

    private static String digest(InputStream in) throws IOException {
        try (DigestInputStream digested = new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
            digested.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digested.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
