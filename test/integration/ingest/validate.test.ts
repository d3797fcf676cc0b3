import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ingestFiles } from '@milepost/ingest/files';
import { validateFile } from '@milepost/ingest/validate-file';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { run } from '../../support/command.ts';
import { openFolder, perSuite } from '../../support/fixtures.ts';
import { onlyLane } from '../../support/ingest-lanes.ts';
import { describeWithPipeline } from '../../support/pipeline-suites.ts';
import { drawnSequence, textsOf } from '../../support/random-records.ts';
import { driverProfile, toNdjson, tripProcessed } from '../../support/records.ts';
import { valuesOf } from '../../support/tables.ts';

const { signal } = new AbortController();
const SEED = Number(process.env['VALIDATE_SEED'] ?? Date.now() % 2 ** 31);

const folder = perSuite(openFolder);

async function fileOf(text: string, name = 'records.ndjson'): Promise<string> {
  const file = join(folder.path, name);
  await writeFile(file, text);
  return file;
}

const validateAt = async (file: string) => await validateFile({ file, signal, onProgress: () => {} });
const validate = async (text: string) => await validateAt(await fileOf(text));

const trip = tripProcessed();

describe('milepost validate', () => {
  it('reports every fault and warning of every record by reason and field, with counts and first lines', async () => {
    const { fleet_id: _fleet, tracking_id: trackingId, ...nameless } = trip;
    const [event] = trip.events;
    const wrong = {
      ...nameless,
      trackingId,
      distance_miles: -1,
      events: [event, { ...event, event_type: 4 }, { ...event, event_type: 5 }],
    };
    const text = `${toNdjson([trip, wrong, wrong, wrong, wrong])}\n{broken\n${toNdjson([{ ...trip, revision: 2, revison: 3 }])}`;
    const ofTrips = { records: 4, lines: [2, 3, 4] };
    const invalidIn = (field: string, message: string) => ({ reason: 'invalid_field', field, ...ofTrips, message });
    expect(await validate(text)).toEqual({
      read: 7,
      accepted: 2,
      duplicates: 0,
      refused: 5,
      faults: [
        { reason: 'missing_field', field: '/fleet_id', ...ofTrips, message: expect.any(String) },
        invalidIn('/distance_miles', 'The field /distance_miles must be a finite number of at least 0, but is -1.'),
        invalidIn('/events/*/event_type', 'The field /events/1/event_type must be 1, 2, 7 or 9, but is 4.'),
        { reason: 'invalid_json', field: null, records: 1, lines: [7], message: expect.any(String) },
      ],
      warnings: [
        {
          reason: 'other_name',
          field: '/trackingId',
          ...ofTrips,
          message: 'Did you mean /tracking_id? It is missing.',
        },
        { reason: 'unknown_field', field: '/revison', records: 1, lines: [8], message: expect.any(String) },
      ],
      cut_off: false,
    });
  });

  it('limits the number of kinds of warnings, whatever the records contain', async () => {
    const odd = Array.from({ length: 8 }, (_, index) =>
      Object.fromEntries(Array.from({ length: 90 }, (_, field) => [`${index}_${field}_x`, 1])),
    );
    const result = await validate(toNdjson(odd.map((fields) => ({ ...driverProfile(), ...fields }))));
    expect(result).toMatchObject({ cut_off: true });
    expect(result.warnings).toHaveLength(500);
  });

  it('needs no database, prints its findings, and exits with 1 if ingest would refuse a record', async () => {
    const settings = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const file = await fileOf(toNdjson([trip, { ...trip, revision: 0 }, { ...trip, revision: 2, course: 1 }]));
    const checked = await run(['validate', file], settings);
    expect(checked).toMatchObject({ code: 1, stderr: 'milepost: 1 of 3 records would be refused.\n' });
    expect(checked.stdout).toMatch(/3 read: 2 to be stored, 0 duplicates, 1 to be refused\n/);
    expect(checked.stdout).toMatch(/\ninvalid_field +\/revision +1 +2 +The field \/revision must be/);
    expect(checked.stdout).toMatch(/\nunknown_field +\/course +1 +3 /);
    const asJson = await run(['validate', file, '--json'], settings);
    expect(asJson).toMatchObject({ code: 1, stderr: checked.stderr });
    expect(JSON.parse(asJson.stdout)).toMatchObject({ read: 3, accepted: 2, refused: 1 });
    const right = await run(['validate', '-', '--json'], settings, toNdjson([trip]));
    expect(right).toMatchObject({ code: 0, stderr: '' });
    const counts = { read: 1, accepted: 1, duplicates: 0, refused: 0 };
    expect(JSON.parse(right.stdout)).toEqual({ ...counts, faults: [], warnings: [], cut_off: false });
    const odd = await run(['validate', '-'], settings, toNdjson([trip, trip, { ...trip, revision: 2, course: 1 }]));
    expect(odd).toMatchObject({ code: 0, stdout: expect.stringMatching(/0 to be refused\n\nodd +field /) });
    expect((await run(['validate', join(folder.path, 'none')], settings)).stderr).toMatch('does not exist');
  });
});

describe('a file with JSON objects over several lines', () => {
  it.each([
    ['an object', JSON.stringify(trip, null, 2), 'jq -c . '],
    ['an object with a blank line before it', `\n\n${JSON.stringify(trip, null, '\t')}`, 'jq -c . '],
    ['objects', [trip, trip].map((each) => JSON.stringify(each, null, 2)).join('\n'), 'jq -c . '],
    ['an object that begins on its first line', '{"kind": "trip.deleted",\n "revision": 1}', 'jq -c . '],
    ['an array', JSON.stringify([trip, trip], null, 2), "jq -c '.[]' "],
    ['an array of objects on a line each', `[\n${JSON.stringify(trip)},\n${JSON.stringify(trip)}\n]`, "jq -c '.[]' "],
  ])('is distinguished from NDJSON: %s', async (_name, text, advice) => {
    await expect(validate(text)).rejects.toThrow(
      `is JSON over several lines, but each record must be on a line of its own. \`${advice}`,
    );
  });

  it.each([
    ['a record', JSON.stringify(trip)],
    ['broken records', '{\n{\n{"kind":'],
    ['a truncated record and a complete one', `{"kind":"trip.processed",\n${JSON.stringify(trip)}`],
    ['no records at all', 'a,b\n1,2\n'],
    ['words in brackets', '{broken\nnot json\n'],
  ])('is not confused with a file that begins with %s', async (_name, text) => {
    expect((await validate(text)).read).toBeGreaterThan(0);
  });
});

describeWithPipeline('file ingest', (pipeline) => {
  const ingest = async (file: string, force = false) =>
    await ingestFiles({ lanes: onlyLane(pipeline.ingest), files: [file], signal, force });

  it(`refuses exactly the records that validate reports, with the same faults (VALIDATE_SEED=${SEED})`, async () => {
    let files = 0;
    const spoil = fc.record({
      at: fc.nat(),
      field: fc.constantFrom(...Object.keys(trip)),
      value: fc.oneof(fc.constantFrom(null, 1, 0, 'x', {}, [], 1767254400), fc.jsonValue()),
    });
    const drawn = fc.tuple(drawnSequence, fc.array(spoil, { maxLength: 12 }));
    await fc.assert(
      fc.asyncProperty(drawn, async ([{ deliveries }, spoils]) => {
        files += 1;
        const texts = textsOf(deliveries, `validate-${files}`).map(({ text }) => text);
        for (const { at, field, value } of spoils) {
          const index = at % texts.length;
          const text = texts[index];
          if (!text?.startsWith('{"')) continue;
          // Only this file uses the fleet, so `validate` sees everything that the log contains.
          const { fleet_id } = JSON.parse(text);
          texts[index] = JSON.stringify({ ...JSON.parse(text), [field]: value, fleet_id });
        }
        const file = await fileOf(`${texts.join('\n')}\n`, `drawn-${files}.ndjson`);
        const validated = await validateAt(file);
        const { counts } = await ingest(file, true);
        const { read, accepted, duplicates, refused } = validated;
        expect(counts).toEqual({ read, stored: accepted, duplicates, dead_letters: refused });
        const letters = await pipeline.owner.query<{ reason: string; field: string | null }>(
          `SELECT reason, field FROM dead_letter JOIN log_source USING (source_id) WHERE topic = $1`,
          [`file:${file}`],
        );
        const told = new Set(validated.faults.map(({ reason, field }) => `${reason} ${field}`));
        for (const { reason, field } of letters.rows) {
          expect(told).toContain(`${reason} ${field?.replaceAll(/\/\d+(?=\/|$)/g, '/*') ?? null}`);
        }
        const odd = 'SELECT DISTINCT reason FROM source_warning JOIN log_source USING (source_id) WHERE topic = $1';
        const warned = validated.warnings.map(({ reason }) => reason);
        expect(warned).toEqual(expect.arrayContaining(await valuesOf(pipeline.owner, odd, [`file:${file}`])));
      }),
      { numRuns: 20, seed: SEED },
    );
  });

  it('counts the warnings about each stored record once, and shows them in the status', async () => {
    const odd = { ...trip, fleet_id: 'odd', highway_miles: 99, weather: 'rain', wind: 'strong' };
    const records = [odd, { ...odd, source_trip_id: 'b' }, odd, { ...odd, revision: 0 }];
    const file = await fileOf(toNdjson(records), 'odd.ndjson');
    await ingest(file);
    const { stdout } = await run(['status', '--json'], { DATABASE_URL: pipeline.url });
    const { warnings }: { warnings: { topic: string }[] } = JSON.parse(stdout);
    expect(warnings.filter(({ topic }) => topic === `file:${file}`)).toEqual([
      { topic: `file:${file}`, reason: 'part_exceeds_whole', field: '/highway_miles', records: 2 },
      { topic: `file:${file}`, reason: 'unknown_field', field: '', records: 2 },
    ]);
    const text = await run(['status'], { DATABASE_URL: pipeline.url });
    expect(text.stdout).toMatch(/odd\.ndjson +part_exceeds_whole +\/highway_miles +2\n/);
    expect(text.stdout).not.toMatch('weather');
  });

  it('stores nothing from a file that begins with a hundred refused records, unless --force is given', async () => {
    const before = await ingest(await fileOf('', 'empty.ndjson'));
    const accepted = toNdjson([{ ...trip, fleet_id: 'forced' }]);
    const file = await fileOf(`${'name,score\n'.repeat(100)}${accepted}`, 'table.csv');
    const stopped = await run(['ingest', file], { DATABASE_URL: pipeline.url });
    expect(stopped).toMatchObject({ code: 1, stdout: '' });
    expect(stopped.stderr).toMatch(
      /^milepost: The first 100 records of .*table\.csv are all refused, so nothing from it was stored\. Line 1: .*`milepost validate .*table\.csv` reports all faults; with --force /,
    );
    const known = 'SELECT count(*) FROM log_source WHERE topic = $1';
    expect(await valuesOf(pipeline.owner, known, [`file:${file}`])).toEqual([0]);
    const forced = await run(['ingest', file, '--force', '--json'], { DATABASE_URL: pipeline.url });
    expect(JSON.parse(forced.stdout)).toEqual({ read: 101, stored: 1, duplicates: 0, dead_letters: 100 });
    expect(before.counts.read).toBe(0);
  });

  it('stores nothing from a file whose JSON objects span several lines', async () => {
    const file = await fileOf(JSON.stringify(trip, null, 2), 'laid-out.json');
    const stopped = await run(['ingest', file], { DATABASE_URL: pipeline.url });
    expect(stopped).toMatchObject({ code: 1, stdout: '' });
    expect(stopped.stderr).toMatch('is JSON over several lines');
  });
});

describe('milepost schema', () => {
  it('prints the schema of one kind or of all kinds', async () => {
    const { stdout } = await run(['schema', 'trip.deleted'], {});
    expect(JSON.parse(stdout)).toMatchObject({ $id: 'urn:milepost:record:trip.deleted', required: expect.any(Array) });
    const all: { anyOf: { title: string }[] } = JSON.parse((await run(['schema'], {})).stdout);
    expect(all.anyOf.map(({ title }) => title)).toEqual(['trip.processed', 'trip.deleted', 'driver.profile']);
    expect(await run(['schema', 'trip'], {})).toMatchObject({ code: 2, stderr: expect.stringContaining('"trip"') });
  });
});
