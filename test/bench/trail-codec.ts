/** Bytes and time of the trail codec by kind of track, beside JSON, zstd and differences; and what reading a record costs. */

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { parseRecord } from '@milepost/domain/records';
import { readRecord } from '@milepost/event-log';
import { standardTrip } from '@milepost/sample-fleet';
import { decodeTrailPath, encodeTrailPath } from '@milepost/trail-codec';
import { prepareRecord } from '../../packages/event-log/prepare.ts';
import { sampleTrack, TRACK_KINDS } from '../../packages/trail-codec/sample-tracks.ts';
import type { TrailPoint } from '../../packages/trail-codec/trail-point.ts';
import { type Measurement, report } from './support/results.ts';

const TRAILS = 40;
const TRACK_POINTS = 600;
const POINTS = 300;
const RECORDS = 200;
const ROUNDS = 9;
const ROUND_SECONDS = 0.2;
const COLUMNS = ['timestamp', 'latitude', 'longitude', 'course'] as const;

type Points = readonly TrailPoint[];

const codec = { encodeTrailPath, decodeTrailPath };
type Codec = typeof codec;

/** The codec as it was at the git ref TRAIL_CODEC_BEFORE; null without. */
async function codecBefore(): Promise<Codec | null> {
  const { TRAIL_CODEC_BEFORE: ref } = process.env;
  if (ref === undefined) return null;
  const folder = await mkdtemp(join(tmpdir(), 'milepost-bench-'));
  const archive = execFileSync('git', ['archive', ref, 'packages/trail-codec'], { maxBuffer: 2 ** 26 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const before: Codec = await import(join(folder, 'packages/trail-codec/index.ts'));
  await rm(folder, { recursive: true });
  return before;
}

/** A column as whole numbers: times a power of ten up to 10^15 where that gives it back, or else the bits of its doubles. */
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

/** What is compared against: differences from the value before, zigzagged, seven bits a byte, point by point. */
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

/** Processor seconds of this process, all its threads: a busy machine lengthens the clock's, not these. */
const processorSeconds = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;

/** Rounds of both codecs in turns over all tracks of a kind, in nanoseconds a point; the first round warms up. */
function timeInTurns<Input>(work: string, runs: readonly [(input: Input) => unknown, Input[]][]): Measurement {
  const figures = runs.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, [run, inputs]] of runs.entries()) {
      const figure = (microsecondsEach(inputs, run) / TRACK_POINTS) * 1000;
      if (round > 0) figures[index]?.push(figure);
    }
  }
  const [milepost = [], before] = figures;
  const against = before === undefined ? null : { name: 'before', figures: before };
  return { work, unit: 'ns/point', milepost, against, goal: against && { is: 'at most', value: 1.5 } };
}

function measureKind(kind: string, before: Codec | null): Measurement[] {
  const tracks = Array.from({ length: TRAILS }, (_, seed) => sampleTrack(kind, seed, TRACK_POINTS));
  const each = (sizeOf: (points: Points) => number) =>
    tracks.reduce((sum, points) => sum + sizeOf(points), 0) / TRAILS / TRACK_POINTS;
  const others = [
    ...(before === null ? [] : [each((points) => before.encodeTrailPath(points).length)]),
    each((points) => zstdCompressSync(JSON.stringify(points)).length),
    each((points) => differencesOf(points).length),
    each((points) => zstdCompressSync(differencesOf(points)).length),
  ];
  const bytes = each((points) => codec.encodeTrailPath(points).length);
  const cells = [each((points) => JSON.stringify(points).length), ...others, bytes];
  console.log([kind.padEnd(34), ...cells.map((cell) => cell.toFixed(2).padStart(7))].join(' '));
  const codecs = before === null ? [codec] : [codec, before];
  return [
    {
      work: kind,
      unit: 'bytes/point',
      milepost: [bytes],
      against: { name: 'best of the others', figures: [Math.min(...others)] },
      goal: { is: 'at most', value: before === null ? 1 : 1.1 },
    },
    timeInTurns(
      `encode: ${kind}`,
      codecs.map((one) => [one.encodeTrailPath, tracks]),
    ),
    timeInTurns(
      `decode: ${kind}`,
      codecs.map((one) => [one.decodeTrailPath, tracks.map(one.encodeTrailPath)]),
    ),
  ];
}

/** Processor microseconds a record, over one round. */
function microsecondsEach<Input>(inputs: readonly Input[], run: (input: Input) => unknown): number {
  let calls = 0;
  const start = processorSeconds();
  for (; processorSeconds() - start < ROUND_SECONDS; calls += inputs.length) for (const input of inputs) run(input);
  return ((processorSeconds() - start) / calls) * 1e6;
}

/** From a record's bytes to what the log stores, beside parsing all of it, and beside JSON.parse alone; rounds in turns. */
function measureRecords(work: string, points: number, ratio: number): Measurement[] {
  const now = Date.now();
  const options = { seed: 1, drivers: 100, days: 100, endDate: dateOf(now - MILLISECONDS_PER_DAY), points };
  const texts = Array.from({ length: RECORDS }, (_, index) => standardTrip(index, options).value);
  const records = texts.map((text) => Buffer.from(text));
  const [json, whole, milepost]: [number[], number[], number[]] = [[], [], []];
  // The first round warms up.
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
    { ...measured, against: { name: 'all of it parsed', figures: whole }, goal: { is: 'at most', value: ratio } },
  ];
}

const before = await codecBefore();
const names = ['JSON', ...(before === null ? [] : ['before']), 'zstd', 'delta', '+ zstd', 'ours'];
console.log(['bytes a point'.padEnd(34), ...names.map((name) => name.padStart(7))].join(' '));
const kinds = TRACK_KINDS.flatMap((kind) => measureKind(kind, before));
await report(
  'trail-codec',
  [...kinds, ...measureRecords('read a small trip', 10, 1.1), ...measureRecords('read a standard trip', POINTS, 0.67)],
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
