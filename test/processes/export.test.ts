import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isCalendarDate } from '@milepost/domain/calendar';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ExportRequest, exportRows } from '../../apps/cli/export/run.ts';
import { run } from '../support/command.ts';
import { openFolder, perSuite, untilTestEnds } from '../support/fixtures.ts';
import { milepost, type Settings, start } from '../support/milepost.ts';
import { daysAfter, Model, mondayBefore, utcDate } from '../support/model/index.ts';
import { deliverAndProject, openPipeline } from '../support/pipeline.ts';
import { play } from '../support/play.ts';
import { DAYS, drawnSequence, FIRST_DAY } from '../support/random-records.ts';
import { tripProcessed } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { importTool } from '../support/tools.ts';

const SEQUENCES = 12;
const SEED = Number(process.env['EXPORT_SEED'] ?? Math.floor(Math.random() * 1e9));
/** The part of DuckDB's interface that reads a file. */
interface DuckDb {
  connect: () => Promise<{
    runAndReadAll: (sql: string) => Promise<{ getRowObjectsJS: () => Cells[] }>;
    closeSync: () => void;
  }>;
  closeSync: () => void;
}

const DAY = 86_400_000;
const MANY_TRIPS = 45_000;
const YESTERDAY = utcDate(Date.now() - DAY);
/** More trips than fit in a process's buffers and a pipe. */
const PIPED_TRIPS = 60_000;

const SUBJECTS = ['trips', 'days', 'weeks'] as const;

type Cells = Record<string, unknown>;

function calendarDate(text: string) {
  if (!isCalendarDate(text)) throw new Error(`${text} is not a date.`);
  return text;
}

/** Returns the rows that an export must contain: the model's results in the form of the HTTP interface. */
function expectedRows(model: Model, { subject, fleetId, from, to, now }: ExportRequest): Cells[] {
  const drivers = model
    .driverIds(fleetId)
    .toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const dates: string[] = [];
  for (let date: string = from; date <= to; date = daysAfter(date, 1)) dates.push(date);
  return drivers.flatMap((driver): Cells[] => {
    if (subject === 'trips') {
      const trips = model.trips(fleetId, driver, from, now).filter((trip) => utcDate(trip.trip_start_time) <= to);
      return trips.map(({ event_summary, ...trip }) => ({ ...trip, ...event_summary }));
    }
    const answers =
      subject === 'days'
        ? dates.map((date) => {
            const { date: day, ...figures } = model.daily(fleetId, driver, date).driving_summary;
            return { period: { date: day }, figures };
          })
        : dates
            .filter((date) => mondayBefore(date) === date)
            .map((monday) => {
              const week = model.weekly(fleetId, driver, monday, utcDate(now)).driving_summary;
              const { start_date, end_date, daily_summary_breakdown: _, ...figures } = week;
              return { period: { start_date, end_date }, figures };
            });
    return answers
      .filter(({ figures }) => figures.trip_count > 0)
      .map(({ period, figures: { events_summary, focus_area, ...figures } }) => ({
        driver_id: driver,
        ...period,
        ...figures,
        ...events_summary,
        ...focus_area,
      }));
  });
}

describeWithPostgres('an export', () => {
  const pipeline = perSuite(openPipeline);
  const folder = perSuite(openFolder);
  let duckdb: DuckDb;
  let settings: Settings;

  beforeAll(async () => {
    const { DuckDBInstance } = await importTool<{
      DuckDBInstance: { create: (path: string, options: Record<string, string>) => Promise<DuckDb> };
    }>('@duckdb/node-api');
    // With its cache, DuckDB might read parts of an earlier file with the same name.
    duckdb = await DuckDBInstance.create(':memory:', { enable_external_file_cache: 'false' });
    settings = { DATABASE_URL: pipeline.url, LOG_LEVEL: 'warn' };
    const trip_start_time = Date.parse(YESTERDAY);
    await store('acme', { driver_id: 'ann', trip_start_time, trip_end_time: trip_start_time });
    await store('typed', { insurance_period: null, trip_start_time: FIRST_DAY, trip_end_time: FIRST_DAY });
  });
  afterAll(() => duckdb.closeSync());

  /** Stores trips of a fleet with these fields, and applies them. */
  async function store(fleet_id: string, ...trips: Parameters<typeof tripProcessed>[0][]): Promise<void> {
    const records = trips.map((fields, index) =>
      tripProcessed({ fleet_id, source_trip_id: `trip-${index}`, ...fields }),
    );
    await deliverAndProject(pipeline, records, fleet_id);
  }

  async function exported(request: ExportRequest): Promise<Buffer> {
    const chunks: Buffer[] = [];
    await exportRows(pipeline.api, request, async (from) => {
      for await (const chunk of from) chunks.push(Buffer.from(chunk));
    });
    return Buffer.concat(chunks);
  }

  /** Returns the rows of an export in NDJSON. */
  async function rowsOf(request: Omit<ExportRequest, 'format'>) {
    const lines = (await exported({ ...request, format: 'ndjson' })).toString().split('\n');
    expect(lines.pop()).toBe('');
    return lines.map((line) => JSON.parse(line));
  }

  async function query(bytes: Buffer, sql: string) {
    const file = join(folder.path, 'rows.parquet');
    await writeFile(file, bytes);
    const connection = await duckdb.connect();
    try {
      const reader = await connection.runAndReadAll(sql.replace('FILE', `'${file}'`));
      return reader.getRowObjectsJS();
    } finally {
      connection.closeSync();
    }
  }

  /** Converts a value that DuckDB has read to the type that the API uses. */
  function served(value: unknown, name: string): unknown {
    if (value instanceof Date) return name.endsWith('_time') ? value.getTime() : utcDate(value.getTime());
    return typeof value === 'bigint' ? Number(value) : value;
  }

  async function compareFormats(model: Model, request: Omit<ExportRequest, 'format'>): Promise<number> {
    const expected = expectedRows(model, { ...request, format: 'csv' });
    expect(await rowsOf(request)).toEqual(expected);
    // `apps/cli/export/text.test.ts` covers how fields are quoted. Both formats contain the same rows.
    const [header] = (await exported({ ...request, format: 'csv' })).toString().split('\r\n');
    if (expected[0]) expect(header).toBe(Object.keys(expected[0]).join(','));
    const read = await query(await exported({ ...request, format: 'parquet' }), 'SELECT * FROM FILE');
    const found = read.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, served(value, name)])),
    );
    // A column's dictionary does not distinguish -0 from 0. Neither does JSON.stringify.
    expect(JSON.parse(JSON.stringify(found))).toEqual(JSON.parse(JSON.stringify(expected)));
    return expected.length;
  }

  it(`contains the API's rows and values in every format (${SEQUENCES} sequences, EXPORT_SEED=${SEED})`, async () => {
    let runs = 0;
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(drawnSequence, fc.nat(DAYS), fc.nat(DAYS), async (sequence, one, other) => {
        runs += 1;
        const model = new Model();
        await play(pipeline, sequence, `export${runs}`, model);
        const [first, last] = [Math.min(one, other), Math.max(one, other)];
        for (const fleetId of model.fleets()) {
          for (const subject of SUBJECTS) {
            // As in requests to the API, days and weeks end no later than yesterday.
            const latest = utcDate(sequence.now - (subject === 'trips' ? 0 : DAY));
            const end = utcDate(FIRST_DAY + last * DAY);
            const from = calendarDate(utcDate(FIRST_DAY + (subject === 'weeks' ? 0 : first) * DAY));
            const to = calendarDate(end < latest ? end : latest);
            compared += await compareFormats(model, { subject, fleetId, from, to, now: sequence.now });
          }
        }
      }),
      { numRuns: SEQUENCES, seed: SEED },
    );
    expect(compared).toBeGreaterThan(SEQUENCES);
  });

  const from = calendarDate('2025-01-06');
  const to = calendarDate('2025-01-31');
  const now = Date.UTC(2025, 1, 3);

  it('assigns types to Parquet columns: timestamps in UTC, dates, numbers, flags, and nulls', async () => {
    const types = async (subject: 'trips' | 'days') => {
      const bytes = await exported({ subject, format: 'parquet', fleetId: 'typed', from, to, now });
      const rows = await query(bytes, 'DESCRIBE SELECT * FROM FILE');
      return Object.fromEntries(rows.map((row) => [row['column_name'], row['column_type']]));
    };
    expect(await types('trips')).toMatchObject({
      trip_id: 'VARCHAR',
      trip_start_time: 'TIMESTAMP WITH TIME ZONE',
      distance_miles: 'DOUBLE',
      insurance_period: 'BIGINT',
    });
    expect(await types('days')).toMatchObject({ date: 'DATE', trip_count: 'BIGINT', is_phone_use: 'BOOLEAN' });
    const bytes = await exported({ subject: 'trips', format: 'parquet', fleetId: 'typed', from, to, now });
    expect(await query(bytes, 'SELECT insurance_period IS NULL AS empty FROM FILE')).toEqual([{ empty: true }]);
  });

  it('contains a trip from four hours after its end, like the API', async () => {
    const fourHours = 4 * 3_600_000;
    const ends = [now - fourHours, now - fourHours + 1];
    await store('ended', ...ends.map((trip_end_time) => ({ trip_start_time: FIRST_DAY, trip_end_time })));
    const request = { subject: 'trips', fleetId: 'ended', from, to } as const;
    const count = async (at: number) => (await rowsOf({ ...request, now: at })).length;
    expect([await count(now - 1), await count(now), await count(now + 1)]).toEqual([0, 1, 2]);
  });

  it('contains the trips from the first midnight until just before the midnight after the last day', async () => {
    const starts = [Date.UTC(2025, 0, 6) - 1, Date.UTC(2025, 0, 6), Date.UTC(2025, 1, 1) - 1, Date.UTC(2025, 1, 1)];
    await store('midnight', ...starts.map((start) => ({ trip_start_time: start, trip_end_time: start })));
    const rows = await rowsOf({ subject: 'trips', fleetId: 'midnight', from, to, now });
    expect(rows.map((row) => row.trip_start_time)).toEqual(starts.slice(1, 3));
  });

  it('contains the days of a week up to yesterday, like the API', async () => {
    const midnight = FIRST_DAY + 2 * DAY;
    const starts = [FIRST_DAY, midnight - DAY];
    await store('week', ...starts.map((start) => ({ trip_start_time: start, trip_end_time: start })));
    const request = { subject: 'weeks', fleetId: 'week', from, to } as const;
    expect(await rowsOf({ ...request, now: midnight - 1 })).toMatchObject([{ trip_count: 1 }]);
    expect(await rowsOf({ ...request, now: midnight })).toMatchObject([{ trip_count: 2 }]);
  });

  it('shows one snapshot, and keeps a limited number of rows in memory', async () => {
    await pipeline.owner.query(
      `INSERT INTO trips_1 (trip_start_time, trip_end_time, position, trip_id, fleet_id, driver_id, list_entry)
       SELECT trip_start_time + n, trip_end_time, position, gen_random_uuid(), 'large', 'driver-' || n % 100,
         replace(list_entry, trip_start_time::text, (trip_start_time + n)::text)
       FROM trips_1, generate_series(1, $1) AS n WHERE fleet_id = 'typed'`,
      [MANY_TRIPS],
    );
    await pipeline.owner.query(`INSERT INTO fleets_1 (position, fleet_id) VALUES (1, 'large')`);
    const request = { subject: 'trips', fleetId: 'large', from, to, now } as const;
    const sizes: number[] = [];
    let lines = 0;
    await exportRows(pipeline.api, { ...request, format: 'ndjson' }, async (chunks) => {
      for await (const chunk of chunks) {
        // The export waits here, so that the rows on all later pages are deleted before they are read.
        if (sizes.length === 0)
          await pipeline.owner.query(`DELETE FROM trips_1 WHERE fleet_id = 'large' AND driver_id <> 'driver-1'`);
        sizes.push(chunk.length);
        lines += chunk.toString().split('\n').length - 1;
      }
    });
    expect(lines).toBe(MANY_TRIPS);
    expect(Math.max(...sizes)).toBeLessThan(2_000_000);
    expect((await exported({ ...request, format: 'csv' })).toString().split('\r\n')).toHaveLength(MANY_TRIPS / 100 + 2);
  });

  it.each([
    ['days', 'daily_rollups_1', 'date, summary', 'date + n, replace(summary, date::text, (date + n)::text)'],
    [
      'weeks',
      'weekly_rollups_1',
      'start_date, through_date, sums, totals',
      'start_date + 7 * n, through_date + 7 * n, sums, replace(totals, start_date::text, (start_date + 7 * n)::text)',
    ],
  ] as const)('writes each of many %s once, ordered by driver and time', async (subject, table, columns, values) => {
    // With pages of 2,000 rows, some pages end in the middle of a driver's rows.
    const [drivers, periods] = [350, 13];
    await pipeline.owner.query(
      `INSERT INTO ${table} (fleet_id, driver_id, ${columns})
       SELECT 'paged', 'driver-' || lpad(driver::text, 4, '0'), ${values}
       FROM ${table}, generate_series(1, $1) AS driver, generate_series(0, $2 - 1) AS n WHERE fleet_id = 'typed'`,
      [drivers, periods],
    );
    await pipeline.owner.query("INSERT INTO fleets_1 (position, fleet_id) VALUES (1, 'paged') ON CONFLICT DO NOTHING");
    const at = FIRST_DAY + 200 * DAY;
    const [from, to] = [FIRST_DAY - 6 * DAY, FIRST_DAY + 190 * DAY].map((time) => calendarDate(utcDate(time)));
    if (!from || !to) throw new Error('There are two dates.');
    const rows = await rowsOf({ subject, fleetId: 'paged', from, to, now: at });
    const keys = rows.map((row) => `${row.driver_id} ${row.date ?? row.start_date}`);
    expect(keys).toHaveLength(drivers * periods);
    expect(keys).toEqual([...new Set(keys)].sort());
  });

  function words(subject: string, ...others: string[]): string[] {
    const defaults = { '--fleet': 'acme', '--from': YESTERDAY, '--to': YESTERDAY, '--format': 'csv' };
    const missing = Object.entries(defaults).filter(([name]) => !others.includes(name));
    return ['export', subject, ...missing.flat(), ...others];
  }

  it('writes only the data to stdout, and the same data to a new file', async () => {
    const printed = await run(words('days'), settings);
    expect(printed).toMatchObject({ code: 0, stderr: '' });
    expect(printed.stdout).toMatch(new RegExp(`^driver_id,date,fm_score,.*\r\nann,${YESTERDAY},.*\r\n$`));
    const path = untilTestEnds(await openFolder()).path;
    const file = join(path, 'days.csv');
    expect(await run(words('days', '--output', file), settings)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await readFile(file, 'utf8')).toBe(printed.stdout);
    expect(await readdir(path)).toEqual(['days.csv']);
  });

  it.each([
    ['a fleet without records', ['days', '--fleet', 'nobody'], 1, 'The read tables contain no records of fleet nobody'],
    ['a file that exists', ['days', '--output', 'there.csv'], 1, 'already exists'],
    ['a folder that does not exist', ['days', '--output', join('nowhere', 'new.csv')], 1, 'does not exist'],
  ])('reports %s in one sentence and writes nothing', async (_what, [subject = '', ...others], code, message) => {
    const path = untilTestEnds(await openFolder()).path;
    await writeFile(join(path, 'there.csv'), 'kept');
    const given = others.map((word) => (word.endsWith('.csv') ? join(path, word) : word));
    const result = await run(words(subject, ...given), settings);
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(await readFile(join(path, 'there.csv'), 'utf8')).toBe('kept');
    expect(await readdir(path)).toEqual(['there.csv']);
  });

  it('exits quietly when the reader closes the pipe', async () => {
    await pipeline.owner.query(
      `INSERT INTO trips_1 (trip_start_time, trip_end_time, position, trip_id, fleet_id, driver_id, list_entry)
       SELECT trip_start_time, trip_end_time, position, gen_random_uuid(), fleet_id, driver_id, list_entry
       FROM trips_1, generate_series(1, $1) WHERE fleet_id = 'acme'`,
      [PIPED_TRIPS],
    );
    const child = start(milepost(words('trips')), settings);
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect([...(await once(child, 'close')), errors]).toEqual([0, null, '']);
  });
});
