// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.soak;

/**
 * The straight line through what was measured (least squares): what goes up and down does not count, what grows does.
 */
final class Trend {
    private int count;
    private double sumX;
    private double sumY;
    private double sumXx;
    private double sumXy;
    private double begin;
    private double end;

    void add(double x, double y) {
        begin = count == 0 ? x : begin;
        end = x;
        count++;
        sumX += x;
        sumY += y;
        sumXx += x * x;
        sumXy += x * y;
    }

    private double at(double x) {
        double spread = count * sumXx - sumX * sumX;
        double slope = spread == 0 ? 0 : (count * sumXy - sumX * sumY) / spread;
        return sumY / count + slope * (x - sumX / count);
    }

    /** The line where the first was measured. */
    double first() {
        return at(begin);
    }

    /** The line where the last was measured. */
    double last() {
        return at(end);
    }
}
