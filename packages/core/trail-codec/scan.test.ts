import { MAX_TRAIL_POINTS } from '@milepost/domain/vocabulary';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyPath } from '../../../test/support/arbitrary-path.ts';
import { sampleTrail } from '../../../test/support/sample-tracks.ts';
import { encodeTrailPath } from './write/path.ts';
import { scanTrailPath } from './write/scan.ts';

const COURSES = (texts: readonly string[]) =>
  `[${texts.map((text) => `{"timestamp":1750000000000,"latitude":37.774929,"longitude":-122.419416,"course":${text}}`)}]`;

/** Spellings of numbers: in the trackers' format, as other valid JSON, and as invalid JSON. */
const spelled = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.integer({ min: -180, max: 180 }), fc.nat(1e9)).map(([a, b]) => `${a}.${b}`) },
  { weight: 2, arbitrary: fc.stringMatching(/^-?(0|[1-9][0-9]{0,4})(\.[0-9]{1,6})?$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^-?[0-9]{1,20}(\.[0-9]{0,20})?([eE][+-]?[0-9]{1,3})?$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('-0', '0', '0.0', '-0.0', '00', '1.', '-', '.5', '1e3', '+1', 'null', '1 2'),
  },
);

function parsed(text: string): ReturnType<typeof encodeTrailPath> | null {
  try {
    return encodeTrailPath(JSON.parse(text));
  } catch {
    return null;
  }
}

function rangeOf(text: string) {
  const points: { timestamp: number; course: number }[] = JSON.parse(text);
  const courses = points.map(({ course }) => course);
  if (points.length === 0) return null;
  return {
    earliestTimestamp: Math.min(...points.map(({ timestamp }) => timestamp)),
    smallestCourse: Math.min(...courses),
    largestCourse: Math.max(...courses),
  };
}

function expectSame(scanned: ReturnType<typeof scanTrailPath>, text: string, start = 0): void {
  expect(scanned).toStrictEqual({ trailPath: parsed(text), end: start + text.length, range: rangeOf(text) });
}

describe('a scanned trail path', () => {
  it('equals its encoded points, whatever the spelling of its numbers', () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.array(spelled, { minLength: 1, maxLength: 12 }), (texts) => {
        const text = COURSES(texts);
        const scanned = scanTrailPath(Buffer.from(text), 0);
        if (scanned === null) return;
        taken++;
        expectSame(scanned, text);
      }),
      { numRuns: 4000 },
    );
    expect(taken).toBeGreaterThan(500);
  });

  it('equals its encoded points, whatever their numbers', () => {
    fc.assert(
      fc.property(anyPath, fc.constantFrom('', ' '), (points, space) => {
        const text = JSON.stringify(points).replaceAll(/[:,]/g, (mark) => mark + space);
        const scanned = scanTrailPath(Buffer.from(text), 0);
        // JSON.stringify writes 0 for -0.
        if (scanned !== null) expectSame(scanned, text);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['0', '7', '359.9', '-12.5', '0.000000001', '12345678901234', '1.10', '266.0', '-0.5', '12345678.1234567'])(
    'may contain the number %s',
    (course) => {
      const text = COURSES(['12.5', course, '1']);
      expect(scanTrailPath(Buffer.from(text), 0)?.trailPath).toStrictEqual(parsed(text));
    },
  );

  it.each([
    ...['-0', '-0.0', '01', '-01', '1.', '.5', '-', '', '+1', '1e3', '1E3', '1.5e1', '0x1', 'NaN', 'null', '"1"'],
    ...['1.2.3', '1 2', '1234567890123456', '1000000000000000', '0.1234567891', '1000000.000000001', '9'.repeat(20)],
  ])('is null with the number %s, which only the JSON parser reads', (course) => {
    expect(scanTrailPath(Buffer.from(COURSES(['12.5', course, '1'])), 0)).toBeNull();
    expect(scanTrailPath(Buffer.from(COURSES([course])), 0)).toBeNull();
    expect(scanTrailPath(Buffer.from(COURSES(['1', '2', '0.125', course])), 0)).toBeNull();
  });

  it('is null for every text that the JSON parser refuses, whatever character is in a number', () => {
    for (let code = 0; code < 256; code += 1) {
      for (let place = 0; place <= 5; place += 1) {
        const text = COURSES(['12.5', '12345'.slice(0, place) + String.fromCharCode(code) + '12345'.slice(place)]);
        const scanned = scanTrailPath(Buffer.from(text, 'latin1'), 0);
        if (scanned !== null) expect(scanned.trailPath, text).toStrictEqual(parsed(text));
      }
    }
  });

  it('is null when the largest number leaves too few digits for the decimals of another number, whichever of the two is first', () => {
    for (const courses of [
      ['123456789012', '0.1234'],
      ['0.1234', '123456789012'],
      ['1000000', '0.000000001'],
      ['0.000000001', '1000000'],
    ]) {
      expect(scanTrailPath(Buffer.from(COURSES(courses)), 0)).toBeNull();
    }
  });

  const [first, second] = ['{"timestamp":1,"latitude":2,"longitude":3,"course":4}', '{"timestamp":2,"latitude":2.5,'];
  it.each([
    ['', '[', '[,]', '{}', '[{}]', '[1]', 'null', '[]]'.slice(2)],
    [`[${first}`, `[${first},]`, `[${first}}]`, `[${first}${first}]`, `[,${first}]`, `[${first},${first},[]]`],
    ['[{"timestamp":1.5,"latitude":2,"longitude":3,"course":4}]', '[{"timestamp":1,"latitude":2,"longitude":3}]'],
    ['[{"timestamp":1,"latitude":2,"longitude":3,"course":4,"x":5}]', `[${first},${second}"course":4,"longitude":3}]`],
    ['[{"timestamp":1,"timestamp":1,"longitude":3,"course":4}]', `[${first},${second}"longitude":3,"longitude":3}]`],
    ['[{"timestamp":1,"latitude":2,"longitude":3,"Course":4}]', `[${first},${first},${second}"longitude":3}]`],
    [`[${first},${first},${first.replace('"latitude"', '"latitudf"')}]`, `[${first},${first},${first.slice(0, -1)}]`],
    [`[${first},${first},${first.replace(':', ';')}]`, `[\u00a0${first}]`, `[${first}\v]`, `[${first.toUpperCase()}]`],
  ])('is null for anything but an array of points with the same four fields (%#)', (...texts) => {
    for (const text of texts) expect(scanTrailPath(Buffer.from(text), 0), text).toBeNull();
  });

  it('can be empty, have any order of fields and white space anywhere, and be inside other bytes', () => {
    const points = sampleTrail({ seed: 4, points: 40 });
    const turned = points.map((point) => Object.fromEntries(Object.entries(point).reverse()));
    for (const text of ['[]', '[ \n]', JSON.stringify(turned), JSON.stringify(points, null, '\t')]) {
      const bytes = Buffer.from(`"é":${text},1]`);
      expectSame(scanTrailPath(bytes, 5), text, 5);
    }
  });

  it('can have the maximum number of points, but no more', () => {
    const points = sampleTrail({ seed: 5, points: MAX_TRAIL_POINTS });
    expect(scanTrailPath(Buffer.from(JSON.stringify(points)), 0)?.trailPath).toStrictEqual(encodeTrailPath(points));
    const more = [...points, ...points.slice(0, 1)];
    expect(scanTrailPath(Buffer.from(JSON.stringify(more)), 0)).toBeNull();
  });
});
