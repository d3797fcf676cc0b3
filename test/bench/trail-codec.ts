/**
 * Measures the sizes and times of the trail codec and other codecs for each kind of track, and the time to read a
 * record.
 */

import { zstdCompressSync } from 'node:zlib';
import { dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { parseRecord } from '@milepost/domain/records';
import type { TrailPoint } from '@milepost/domain/vocabulary';
import { readRecord } from '@milepost/event-log';
import { standardTrip } from '@milepost/sample-fleet';
import { decodeTrailPath, encodeTrailPath } from '@milepost/trail-codec';
import { prepareRecord } from '../../packages/core/event-log/prepare.ts';
import { sampleTrack, TRACK_KINDS } from '../support/sample-tracks.ts';
import { type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';

const TRAILS = size(40, 2);
const TRACK_POINTS = 600;
const POINTS = 300;
const RECORDS = size(200, 5);
const ROUNDS = size(9, 1);
const ROUND_SECONDS = size(0.2, 0.02);
const COLUMNS = ['timestamp', 'latitude', 'longitude', 'course'] as const;

type Points = readonly TrailPoint[];

/**
 * Converts a column to whole numbers. If that is lossless, multiplies the values by a power of ten up to 10^15, and
 * otherwise uses the bits of their doubles.
 */
function wholeNumbers(values: readonly number[]): bigint[] {
  for (let decimals = 0; decimals <= 15; decimals++) {
    const power = 10 ** decimals;
    const exact = (value: number) => Object.is(Math.round(value * power) / power, value);
    if (values.every((value) => exact(value) && Number.isSafeInteger(Math.round(value * power)))) {
      return values.map((value) => BigInt(Math.round(value * power)));
    }
  }
  return [...new BigInt64Array(Float64Array.from(values).buffer)];
}

/**
 * The reference, which stores each point's differences from the previous one in zigzag form, with seven bits per byte.
 */
function differencesOf(points: Points): Buffer {
  const columns = COLUMNS.map((name) => wholeNumbers(points.map((point) => point[name])));
  const bytes: number[] = [];
  for (let index = 0; index < points.length; index++) {
    for (const column of columns) {
      const difference = (column[index] ?? 0n) - (column[index - 1] ?? 0n);
      let rest = difference < 0n ? -2n * difference - 1n : 2n * difference;
      for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
      bytes.push(Number(rest));
    }
  }
  return Buffer.from(bytes);
}

/**
 * Returns the processor seconds of all threads in this process. Unlike elapsed time, they do not grow on a busy
 * machine.
 */
const processorSeconds = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;

/** Returns how long `run` takes for all tracks of a kind, in nanoseconds per point. The first round is a warm-up. */
function timeOf<Input>(work: string, run: (input: Input) => unknown, inputs: readonly Input[]): Measurement {
  const figures: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const figure = (microsecondsEach(inputs, run) / TRACK_POINTS) * 1000;
    if (round > 0) figures.push(figure);
  }
  return { work, unit: 'ns/point', milepost: figures, against: null, goal: null };
}

function measureKind(kind: string): Measurement[] {
  const tracks = Array.from({ length: TRAILS }, (_, seed) => sampleTrack(kind, seed, TRACK_POINTS));
  const each = (sizeOf: (points: Points) => number) =>
    tracks.reduce((sum, points) => sum + sizeOf(points), 0) / TRAILS / TRACK_POINTS;
  const others = [
    each((points) => zstdCompressSync(JSON.stringify(points)).length),
    each((points) => differencesOf(points).length),
    each((points) => zstdCompressSync(differencesOf(points)).length),
  ];
  const bytes = each((points) => encodeTrailPath(points).length);
  const cells = [each((points) => JSON.stringify(points).length), ...others, bytes];
  console.log([kind.padEnd(34), ...cells.map((cell) => cell.toFixed(2).padStart(7))].join(' '));
  return [
    {
      work: kind,
      unit: 'bytes/point',
      milepost: [bytes],
      against: { name: 'best of the others', figures: [Math.min(...others)] },
      goal: { is: 'at most', value: 1 },
    },
    timeOf(`encode: ${kind}`, encodeTrailPath, tracks),
    timeOf(`decode: ${kind}`, decodeTrailPath, tracks.map(encodeTrailPath)),
  ];
}

/** Returns how many processor microseconds one round takes per record. */
function microsecondsEach<Input>(inputs: readonly Input[], run: (input: Input) => unknown): number {
  let calls = 0;
  const start = processorSeconds();
  for (; processorSeconds() - start < ROUND_SECONDS; calls += inputs.length) for (const input of inputs) run(input);
  return ((processorSeconds() - start) / calls) * 1e6;
}

/**
 * Compares three things in alternating rounds: converting a record's bytes to the stored form, parsing them fully, and
 * JSON.parse alone.
 */
function measureRecords(work: string, points: number, ratio: number | null, device?: string): Measurement[] {
  const now = Date.now();
  const options = { seed: 1, drivers: 100, days: 100, endDate: dateOf(now - MILLISECONDS_PER_DAY), points };
  const texts = Array.from({ length: RECORDS }, (_, index) => {
    const { value } = standardTrip(index, options);
    if (device === undefined) return value;
    return JSON.stringify({ ...JSON.parse(value), trail_path: sampleTrack(device, index, points) });
  });
  const records = texts.map((text) => Buffer.from(text));
  const [json, whole, milepost]: [number[], number[], number[]] = [[], [], []];
  // The first round is a warm-up.
  for (let round = 0; round <= ROUNDS; round++) {
    const figures = [
      microsecondsEach(texts, (text) => JSON.parse(text)),
      microsecondsEach(records, (raw) => prepareRecord(parseRecord(raw, now), raw)),
      microsecondsEach(records, (raw) => readRecord(raw, now)),
    ] as const;
    if (round === 0) continue;
    json.push(figures[0]);
    whole.push(figures[1]);
    milepost.push(figures[2]);
  }
  const measured = { work, unit: 'us', milepost };
  return [
    { ...measured, against: { name: 'JSON.parse of its text', figures: json }, goal: null },
    {
      ...measured,
      against: { name: 'all of it parsed', figures: whole },
      goal: ratio === null ? null : { is: 'at most', value: ratio },
    },
  ];
}

const names = ['JSON', 'zstd', 'delta', '+ zstd', 'ours'];
console.log(['bytes per point'.padEnd(34), ...names.map((name) => name.padStart(7))].join(' '));
const kinds = TRACK_KINDS.flatMap((kind) => measureKind(kind));
await report(
  'trail-codec',
  [
    ...kinds,
    ...measureRecords('read a small trip', 10, 1.1),
    ...measureRecords('read a standard trip', POINTS, 0.67),
    ...measureRecords('read a trip of a 10 Hz phone', POINTS, null, 'phone, 10 Hz with repeated fixes'),
    ...measureRecords('read a trip of a CAN bus', POINTS, null, 'CAN bus'),
  ],
  {
    tracks: TRAILS,
    points_track: TRACK_POINTS,
    records: RECORDS,
    points_small: 10,
    points_standard: POINTS,
    rounds: ROUNDS,
  },
  null,
);
