/** The bytes and times of the trail codec for each kind of track, and the time to read a record. About a minute. */

import { zstdCompressSync } from 'node:zlib';
import { dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { parseRecord } from '@milepost/domain/records';
import type { TrailPoint } from '@milepost/domain/vocabulary';
import { readRecord } from '@milepost/event-log/prepare';
import { standardTrip } from '@milepost/sample-fleet';
import { encodeTrailPath } from '@milepost/trail-codec';
import { trailPathToJson } from '@milepost/trail-codec/json';
import { prepareRecord } from '../../packages/core/event-log/prepare.ts';
import { sampleTrack, TRACK_KINDS } from '../support/sample-tracks.ts';
import { inRounds } from './support/figures.ts';
import { atMost, type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';

const TRAILS = size(40, 2);
const TRACK_POINTS = 600;
const RECORDS = size(200, 5);
const ROUNDS = size(9, 1);
const ROUND_SECONDS = size(0.2, 0.02);
const COLUMNS = ['timestamp', 'latitude', 'longitude', 'course'] as const;

type Points = readonly TrailPoint[];

/**
 * Converts a column to whole numbers. Multiplies the values by a power of ten up to 10^15 if that is lossless, and
 * otherwise uses the bits of the doubles.
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

/** The reference, which stores each point's differences from the previous point as zigzag varints. */
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
 * Returns the processor time of all threads in this process, in seconds. Unlike elapsed time, it does not grow on a
 * busy machine.
 */
const processorSeconds = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;

/** Returns how many microseconds of processor time one round takes per record. */
function microsecondsEach<Input>(inputs: readonly Input[], run: (input: Input) => unknown): number {
  let calls = 0;
  const start = processorSeconds();
  for (; processorSeconds() - start < ROUND_SECONDS; calls += inputs.length) for (const input of inputs) run(input);
  return ((processorSeconds() - start) / calls) * 1e6;
}

/** Returns each function's processor time per record in each round, in microseconds, after an uncounted warm-up. */
async function timeInRounds(works: readonly (() => number)[]): Promise<number[][]> {
  const rounds = await inRounds(
    ROUNDS + 1,
    works.map((work) => async () => work()),
  );
  return rounds.map((figures) => figures.slice(1));
}

async function measureKind(kind: string): Promise<Measurement[]> {
  const tracks = Array.from({ length: TRAILS }, (_, seed) => sampleTrack(kind, seed, TRACK_POINTS));
  const encoded = tracks.map(encodeTrailPath);
  const each = (sizeOf: (points: Points) => number) =>
    tracks.reduce((sum, points) => sum + sizeOf(points), 0) / TRAILS / TRACK_POINTS;
  const others = {
    'zstd -3': each((points) => zstdCompressSync(JSON.stringify(points)).length),
    delta: each((points) => differencesOf(points).length),
    'delta + zstd': each((points) => zstdCompressSync(differencesOf(points)).length),
  };
  console.log(kind, { JSON: each((points) => JSON.stringify(points).length), ...others });
  const [encoding = [], decoding = []] = await timeInRounds([
    () => microsecondsEach(tracks, encodeTrailPath),
    () => microsecondsEach(encoded, trailPathToJson),
  ]);
  return [
    {
      work: kind,
      unit: 'bytes/point',
      milepost: [each((points) => encodeTrailPath(points).length)],
      against: { name: 'best of the others', figures: [Math.min(...Object.values(others))] },
      goal: atMost(1),
    },
    { work: `encode: ${kind}`, unit: 'us', milepost: encoding },
    { work: `decode: ${kind}`, unit: 'us', milepost: decoding },
  ];
}

/** Compares three ways to read a record's bytes: conversion to the stored form, a full parse, and JSON.parse alone. */
async function measureRecords(work: string, points: number, most: number): Promise<Measurement[]> {
  const now = Date.now();
  const options = { seed: 1, drivers: 100, days: 100, endDate: dateOf(now - MILLISECONDS_PER_DAY), points };
  const texts = Array.from({ length: RECORDS }, (_, index) => String(standardTrip(index, options).value));
  const records = texts.map((text) => Buffer.from(text));
  const [milepost = [], whole = [], json = []] = await timeInRounds([
    () => microsecondsEach(records, (raw) => readRecord(raw, now)),
    () => microsecondsEach(records, (raw) => prepareRecord(parseRecord(raw, now), raw)),
    () => microsecondsEach(texts, (text) => JSON.parse(text)),
  ]);
  const row = { work, unit: 'us', milepost };
  return [
    { ...row, against: { name: 'all of it parsed', figures: whole }, goal: atMost(most) },
    { ...row, against: { name: 'JSON.parse of its text', figures: json } },
  ];
}

const measurements: Measurement[] = [];
for (const kind of TRACK_KINDS) measurements.push(...(await measureKind(kind)));
measurements.push(
  ...(await measureRecords('read a small trip', 10, 1.1)),
  ...(await measureRecords('read a standard trip', 300, 0.67)),
);
const sizes = { tracks: TRAILS, 'points of a track': TRACK_POINTS, records: RECORDS, rounds: ROUNDS };
await report(measurements, sizes, null);
