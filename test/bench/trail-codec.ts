/** Bytes and rate of the trail codec beside JSON, plain varints and zstd; and what reading a record costs with it. */

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { parseRecord } from '@milepost/domain/records';
import { readRecord } from '@milepost/event-log';
import { standardTrip } from '@milepost/sample-fleet';
import { decodeTrailPath, encodeTrailPath, type TrailPoint, trailPathToJson } from '@milepost/trail-codec';
import { prepareRecord } from '../../packages/event-log/prepare.ts';
import { sampleTrail } from '../../packages/trail-codec/sample-trail.ts';
import { type Measurement, report } from './support/results.ts';

const TRAILS = 200;
const POINTS = 300;
const ROUNDS = 5;
const ROUND_SECONDS = 0.4;
const RECORDS = 200;
const RECORD_ROUNDS = 9;
const RECORD_ROUND_SECONDS = 0.2;
const buffer = Buffer.alloc(POINTS * 40);

/** What is compared against: differences from the point before, zigzagged, seven bits a byte. */
function encodeVarint(points: readonly TrailPoint[]): Buffer {
  let at = 0;
  const previous = [0, 0, 0, 0];
  const write = (column: number, integer: number) => {
    const difference = integer - (previous[column] ?? 0);
    previous[column] = integer;
    let rest = difference < 0 ? -2 * difference - 1 : 2 * difference;
    for (; rest > 127; rest = Math.floor(rest / 128)) buffer[at++] = (rest % 128) | 128;
    buffer[at++] = rest;
  };
  for (const point of points) {
    write(0, point.timestamp);
    write(1, Math.round(point.latitude * 1e6));
    write(2, Math.round(point.longitude * 1e6));
    write(3, Math.round(point.course * 10));
  }
  return Buffer.from(buffer.subarray(0, at));
}

function decodeVarint(bytes: Uint8Array): TrailPoint[] {
  const points: TrailPoint[] = [];
  let at = 0;
  const previous = [0, 0, 0, 0];
  const read = (column: number) => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) break;
    }
    const difference = value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    previous[column] = (previous[column] ?? 0) + difference;
    return previous[column];
  };
  while (at < bytes.length) {
    points.push({ timestamp: read(0), latitude: read(1) / 1e6, longitude: read(2) / 1e6, course: read(3) / 10 });
  }
  return points;
}

/** Processor seconds of this process, all its threads: a busy machine lengthens the clock's, not these. */
const processorSeconds = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;

/** Calls a processor second over all inputs; the best of some rounds, the first of which also warm up. */
function ratePerSecond<Input>(inputs: readonly Input[], run: (input: Input) => { length: number }): number {
  let best = 0;
  let checksum = 0;
  for (let round = 0; round < ROUNDS; round++) {
    let calls = 0;
    const start = processorSeconds();
    for (; processorSeconds() - start < ROUND_SECONDS; calls += inputs.length) {
      for (const input of inputs) checksum += run(input).length;
    }
    best = Math.max(best, calls / (processorSeconds() - start));
  }
  if (checksum === 0) throw new Error('Nothing was measured.');
  return best;
}

interface Codec<Encoded> {
  name: string;
  encode(points: readonly TrailPoint[]): Encoded & { length: number };
  decode(encoded: Encoded): { length: number };
  bytes(encoded: Encoded): number;
}

let floor = { bytes: 0, encode: 0, decode: 0 };

function measure<Encoded extends { length: number }>(
  trails: readonly (readonly TrailPoint[])[],
  codec: Codec<Encoded>,
): void {
  const encoded = trails.map(codec.encode);
  const bytes = encoded.reduce((sum, one) => sum + codec.bytes(one), 0) / trails.length;
  const result = { bytes, encode: ratePerSecond(trails, codec.encode), decode: ratePerSecond(encoded, codec.decode) };
  if (codec.name === 'JSON') floor = result;
  const rate = (value: number, base: number) =>
    `${value.toFixed(0).padStart(7)}/s (${(value / base).toFixed(1).padStart(4)} x)`;
  console.log(
    `${codec.name.padEnd(22)}${bytes.toFixed(0).padStart(7)} bytes (1/${(floor.bytes / bytes).toFixed(1).padEnd(4)})` +
      `  encode ${rate(result.encode, floor.encode)}  decode ${rate(result.decode, floor.decode)}`,
  );
}

for (const noiseCorrelation of [0, 0.97]) {
  const trails = Array.from({ length: TRAILS }, (_, seed) => sampleTrail({ seed, points: POINTS, noiseCorrelation }));
  console.log(`${TRAILS} trails of ${POINTS} points, noise correlation ${noiseCorrelation}, Node ${process.version}`);
  const json = { encode: JSON.stringify, decode: (text: string): TrailPoint[] => JSON.parse(text) };
  measure<string>(trails, { name: 'JSON', bytes: (text) => text.length, ...json });
  const bytes = (encoded: Uint8Array) => encoded.length;
  measure(trails, { name: 'varint', encode: encodeVarint, decode: decodeVarint, bytes });
  const encodeZstd = (points: readonly TrailPoint[]) => zstdCompressSync(encodeVarint(points));
  measure(trails, {
    name: 'varint + zstd',
    encode: encodeZstd,
    decode: (b) => decodeVarint(zstdDecompressSync(b)),
    bytes,
  });
  measure(trails, { name: 'ours', encode: encodeTrailPath, decode: decodeTrailPath, bytes });
  measure(trails, { name: 'ours, decoded to JSON', encode: encodeTrailPath, decode: trailPathToJson, bytes });
}

/** Processor microseconds a record, over one round. */
function microsecondsEach<Input>(inputs: readonly Input[], run: (input: Input) => unknown): number {
  let calls = 0;
  const start = processorSeconds();
  for (; processorSeconds() - start < RECORD_ROUND_SECONDS; calls += inputs.length)
    for (const input of inputs) run(input);
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
  for (let round = 0; round <= RECORD_ROUNDS; round++) {
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

await report(
  'trail-codec',
  [...measureRecords('read a small trip', 10, 1.1), ...measureRecords('read a standard trip', POINTS, 0.67)],
  { records: RECORDS, points_small: 10, points_standard: POINTS, rounds: RECORD_ROUNDS },
  null,
);
