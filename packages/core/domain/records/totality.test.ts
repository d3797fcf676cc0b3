import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validDeletion, validProfile, validTrip } from '../../../../test/support/arbitrary-records.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../../../../test/support/records.ts';
import { exactJson } from '../exact-json.ts';
import { DEAD_LETTER_REASONS } from './fault.ts';
import { MAX_RECORD_BYTES, parseRecord } from './parse.ts';

const NOW = Date.UTC(2025, 0, 20);
const bytes = (text: string) => new TextEncoder().encode(text);
const examples = [tripProcessed(), tripDeleted(), driverProfile()];
const anyExample = fc.constantFrom(...examples);

/**
 * Whether `parseRecord` returns either a record or a fault that the dead letter table can store. If parsing throws, the
 * test fails.
 */
function answers(value: Uint8Array | null): boolean {
  const parsed = parseRecord(value, NOW);
  if (parsed.ok) return true;
  expect(Object.keys(DEAD_LETTER_REASONS)).toContain(parsed.reason);
  expect(parsed.field ?? '/').toMatch(/^\//);
  expect(parsed.message).not.toMatch(/\p{Cc}|\p{Cs}/u);
  expect(parsed.message.length).toBeLessThan(400);
  return true;
}

/** Returns the record without its warnings. */
function recordOf(parsed: ReturnType<typeof parseRecord>) {
  return parsed.ok ? parsed.record : parsed;
}

describe('parseRecord returns a result and never throws', () => {
  it('for any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), answers), { numRuns: 2000 });
  });

  it('for any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => answers(bytes(text))),
      { numRuns: 1000 },
    );
  });

  it('for a valid record, whichever of its bytes are damaged', () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(anyExample, damage, (record, places) => {
        const damaged = bytes(JSON.stringify(record));
        for (const [at, byte] of places) damaged[at % damaged.length] = byte;
        return answers(damaged);
      }),
      { numRuns: 3000 },
    );
  });

  it('for a valid record that is truncated at any byte', () => {
    for (const record of examples) {
      const whole = bytes(JSON.stringify(record));
      for (let length = 0; length < whole.length; length += 1) {
        expect(parseRecord(whole.subarray(0, length), NOW).ok).toBe(false);
      }
    }
  });

  const filled = (unit: string) => unit.repeat(Math.floor((MAX_RECORD_BYTES - 2000) / unit.length));
  const withEvents = (events: string) =>
    JSON.stringify({ ...tripProcessed(), events: 0 }).replace('"events":0', `"events":${events}`);
  it.each([
    ['arrays nested a million deep', () => `${'['.repeat(1e6)}${']'.repeat(1e6)}`],
    ['objects nested a million deep', () => `${'{"a":'.repeat(1e6)}1${'}'.repeat(1e6)}`],
    ['a deep kind', () => `{"kind":${'['.repeat(1e6)}${']'.repeat(1e6)}}`],
    [
      'a deep unknown field',
      () => JSON.stringify({ ...tripDeleted(), x: 0 }).replace('"x":0', `"x":${'['.repeat(1e6)}${']'.repeat(1e6)}`),
    ],
    ['a million unclosed arrays', () => '['.repeat(1e6)],
    ['a driver id as long as the limit', () => JSON.stringify(driverProfile({ driver_id: filled('a') }))],
    ['only invalid trip events', () => withEvents(`[${filled('0,')}0]`)],
    [
      'trip events with an invalid last one',
      () => withEvents(`[${filled(`${JSON.stringify(tripProcessed().events[0])},`)}0]`),
    ],
  ])('within a time limit for %s', (_name, text) => {
    const value = bytes(text());
    const started = process.cpuUsage();
    expect(answers(value)).toBe(true);
    // Measures processor time, because elapsed time is unreliable on a busy machine.
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(20_000);
  });
});

describe('a valid record', () => {
  it('is returned unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(validTrip, validDeletion, validProfile), (record) => {
        expect(recordOf(parseRecord(bytes(exactJson(record)), NOW))).toEqual(record);
      }),
      { numRuns: 500 },
    );
  });
});
