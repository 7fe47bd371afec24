// SPDX-License-Identifier: Apache-2.0
package io.jfabric.house;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Draws the house: a box for each package, on its floor, with what it is for and how many types live there. */
final class Picture {
    private static final int WIDTH = 1000;
    private static final int BOX = 44;
    private static final int STEP = 56;
    private static final int LEFT = 20;

    private final House house;
    private final Path sources;
    private final Map<String, Integer> types = new TreeMap<>();
    private final StringBuilder svg = new StringBuilder();

    Picture(House house, Path sources) {
        this.house = house;
        this.sources = sources;
        for (JavaClass type : house.classes()) {
            String name = type.getPackageName();
            if (type.isTopLevelClass() && !type.getSimpleName().endsWith("-info")
                    && (name.equals(house.root()) || name.startsWith(house.root() + "."))) {
                types.merge(house.floorOf(type), 1, Integer::sum);
            }
        }
    }

    String draw() throws IOException {
        List<String> contract = new ArrayList<>();
        List<String> code = new ArrayList<>();
        House.FLOORS.forEach(floor -> (floor.startsWith("internal") ? code : contract).add(floor));
        int height = 110 + code.size() * STEP;
        svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ").append(WIDTH).append(' ').append(height)
                .append("\" font-family=\"sans-serif\" font-size=\"13\">\n");
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        title(LEFT, "Contract: what users see");
        title(LEFT + 490, "Code: not exported");
        column(contract, LEFT, height - 60, "#e3f1e3", "#3b7d3b");
        column(code, LEFT + 490, height - 60, "#e6ecf7", "#3a5a94");
        svg.append("<text x=\"").append(LEFT).append("\" y=\"").append(height - 20).append("\" fill=\"#555555\">"
                + "Each package knows only those below it; code also knows the contracts. Contracts know code by "
                + "static methods only, and the three lowest packages.</text>\n</svg>\n");
        return svg.toString();
    }

    private void title(int x, String text) {
        svg.append("<text x=\"").append(x).append("\" y=\"30\" font-size=\"17\" font-weight=\"bold\">").append(text)
                .append("</text>\n");
    }

    private void column(List<String> floors, int x, int bottom, String fill, String line) throws IOException {
        int y = bottom;
        for (String floor : floors) {
            y -= STEP;
            svg.append("<rect x=\"").append(x).append("\" y=\"").append(y).append("\" width=\"470\" height=\"")
                    .append(BOX).append("\" rx=\"5\" fill=\"").append(fill).append("\" stroke=\"").append(line)
                    .append("\"/>\n");
            text(x + 10, y + 18, "font-weight=\"bold\"", floor.isEmpty() ? house.root() : "." + floor);
            text(x + 460, y + 18, "text-anchor=\"end\" fill=\"#555555\"", types.getOrDefault(floor, 0) + " types");
            text(x + 10, y + 36, "font-size=\"11\"", purpose(floor));
        }
    }

    private void text(int x, int y, String attributes, String text) {
        svg.append("<text x=\"").append(x).append("\" y=\"").append(y).append("\" ").append(attributes).append('>')
                .append(text.replace("&", "&amp;").replace("<", "&lt;")).append("</text>\n");
    }

    /** The first sentence of the package's documentation, as far as it fits. */
    private String purpose(String floor) throws IOException {
        String doc = Files.readString(sources.resolve(floor.replace('.', '/')).resolve("package-info.java"));
        String words = doc.substring(doc.indexOf("/**") + 3, doc.indexOf("*/")).replaceAll("\\n \\* ?", " ")
                .replaceAll("\\{@code ([^}]*)}", "$1").replaceAll("\\{@link [^}]*\\.(\\w+)[^}]*}", "$1").strip();
        int end = words.indexOf(". ");
        String sentence = (end < 0 ? words : words.substring(0, end)).replaceAll("\\s+", " ").replaceAll("\\.$", "");
        return sentence.length() <= 82 ? sentence : sentence.substring(0, sentence.lastIndexOf(' ', 80)) + " ...";
    }
}
