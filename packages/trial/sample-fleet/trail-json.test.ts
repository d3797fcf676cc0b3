import { describe, expect, it } from 'vitest';
import type { Road } from './road.ts';
import { trailJson } from './trail-json.ts';

describe('trailJson', () => {
  it('writes every number as JSON.stringify does, and omits fields that were not recorded', () => {
    const road: Road = {
      latitude: Int32Array.of(39_983_000, 5, -90_000_000, 1_234_567, 7),
      longitude: Int32Array.of(-104_990_001, -180_000_000, 179_999_999, 0, -1_000_010),
      course: Int16Array.of(0, 3599, 5, 100, 1234),
      recorded: Uint8Array.of(1, 1, 1, 0, 1),
      onHighway: new Uint8Array(5),
    };
    const start = 1_790_000_000_001;
    const points = [0, 1, 2, 4].map((step) => ({
      timestamp: start + 3000 * step,
      latitude: (road.latitude[step] ?? 0) / 1e6,
      longitude: (road.longitude[step] ?? 0) / 1e6,
      course: (road.course[step] ?? 0) / 10,
    }));
    expect(trailJson(road, start)).toBe(JSON.stringify(points));
  });
});
