import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { PROBLEMS } from '../../apps/api/problems.ts';
import { openFolder, perSuite } from '../support/fixtures.ts';
import { ROOT } from '../support/milepost.ts';
import { utcDate } from '../support/model/index.ts';
import { shapeOf } from '../support/readme/shape.ts';
import { Shell } from '../support/readme/shell.ts';
import { readmeSteps } from '../support/readme/steps.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { createWorld } from '../support/world.ts';

const PAGE = readFileSync(join(ROOT, 'docs/consuming.md'), 'utf8');
const MIRROR = /^```js\n(.*?)^```\n/ms;
const [, program = ''] = MIRROR.exec(PAGE) ?? [];
const steps = readmeSteps(PAGE.replace(MIRROR, ''));

const DAY = 86_400_000;
const TRANSIENT: readonly number[] = [408, 429, 503];

it('docs/consuming.md contains a row for each problem code, and says whether to retry', () => {
  const rows = Array.from(PAGE.matchAll(/^\| `(\w+)` \| (\d+) \| (yes|no|later) \|/gm), ([, ...row]) => row.join(' '));
  const expected = Object.entries(PROBLEMS).map(([code, { status }]) => {
    const retry = TRANSIENT.includes(status) ? 'yes' : code === 'trip_not_found' ? 'later' : 'no';
    return `${code} ${status} ${retry}`;
  });
  expect(rows.sort()).toEqual(expected.sort());
});

describeWithPostgres('docs/consuming.md', () => {
  const world = perSuite(createWorld);
  const folder = perSuite(openFolder);
  const shell = perSuite(
    async () =>
      new Shell(folder.path, {
        ...process.env,
        PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
        MILEPOST_URL: await world.api.listen({ port: 0, host: '127.0.0.1' }),
        MILEPOST_KEY: await world.createKey('acme'),
      }),
  );

  /** Returns noon on a day before the current one. */
  const noon = (daysAgo: number) => (Math.floor(Date.now() / DAY) - daysAgo) * DAY + DAY / 2;
  const dayOf = (daysAgo: number) => utcDate(noon(daysAgo));

  /** Stores records and applies them. */
  async function publish(...records: object[]): Promise<void> {
    const counts = await world.ingest(records);
    expect(counts.stored).toBe(records.length);
    await world.project();
  }

  /** Returns the trips that the API lists from this day onward, by trip id. */
  async function listed(daysAgo: number): Promise<Record<string, object>> {
    const { drivers }: { drivers: { driver_id: string }[] } = (await world.get('/api/v1/drivers')).json();
    const trips: Record<string, object> = {};
    for (const { driver_id } of drivers) {
      const path = `/api/v1/driver/${encodeURIComponent(driver_id)}/trips?start_date=${dayOf(daysAgo)}&limit=100`;
      const page: { trips: { trip_id: string }[] } = (await world.get(path)).json();
      for (const trip of page.trips) trips[trip.trip_id] = trip;
    }
    return trips;
  }

  /** Runs the page's program for this number of days. Returns what it printed, without the trip ids. */
  async function mirror(daysAgo: number): Promise<string[]> {
    const output = await shell.run(`node mirror.mjs ${dayOf(daysAgo)}`);
    return output.split('\n').map((line) => line.replace(/ [0-9a-f]{32}:/, ''));
  }

  async function mirrored(): Promise<Record<string, object>> {
    return JSON.parse(await readFile(join(folder.path, 'mirror.json'), 'utf8')).trips;
  }

  beforeAll(async () => {
    world.clock.now = Date.now();
    await publish(
      driverProfile({ driver_id: 'driver-00001' }),
      driverProfile({ driver_id: 'driver-00002' }),
      tripProcessed({ source_trip_id: 'a', driver_id: 'driver-00001', trip_start_time: noon(3) }),
      tripProcessed({ source_trip_id: 'b', driver_id: 'driver-00001', trip_start_time: noon(2) }),
      tripProcessed({ source_trip_id: 'c', driver_id: 'driver-00002', trip_start_time: noon(2) }),
    );
    await writeFile(join(folder.path, 'mirror.mjs'), program);
  });

  it.each(steps)('has a command that runs: $command', async ({ command, answer }) => {
    const output = await shell.run(command);
    if (answer !== null) expect(shapeOf(JSON.parse(output))).toEqual(shapeOf(JSON.parse(answer)));
  });

  it('contains a program that first reads all trips, and then only confirms that nothing has changed', async () => {
    await shell.run('rm -f mirror.json');
    expect(await mirror(7)).toEqual([
      `added driver-00001 ${dayOf(3)}`,
      `added driver-00001 ${dayOf(2)}`,
      `added driver-00002 ${dayOf(2)}`,
      '3 requests, 0 unchanged, 3 changes',
    ]);
    expect(await mirrored()).toEqual(await listed(7));
    expect(await mirror(7)).toEqual(['3 requests, 3 unchanged, 0 changes']);
  });

  it('contains a program that follows corrections, moves, deletions and trips that become visible', async () => {
    await publish(
      tripProcessed({
        source_trip_id: 'a',
        revision: 2,
        driver_id: 'driver-00001',
        trip_start_time: noon(3),
        distance_miles: 99,
      }),
      tripProcessed({ source_trip_id: 'b', revision: 2, driver_id: 'driver-00002', trip_start_time: noon(4) }),
      tripDeleted({ source_trip_id: 'c' }),
      tripProcessed({ source_trip_id: 'd', driver_id: 'driver 3/é', trip_start_time: noon(1) }),
      tripProcessed({ source_trip_id: 'e', driver_id: 'driver-00001', trip_start_time: Date.now() - 7_200_000 }),
    );
    expect(await mirror(7)).toEqual([
      `changed driver-00001 ${dayOf(3)}`,
      `changed driver-00001 ${dayOf(2)}, driver-00002 ${dayOf(4)}`,
      `added driver 3/é ${dayOf(1)}`,
      `deleted driver-00002 ${dayOf(2)}`,
      expect.stringMatching(/ 4 changes$/),
    ]);
    expect(await mirrored()).toEqual(await listed(7));

    world.clock.now += 4 * 3_600_000;
    expect(await mirror(7)).toEqual([
      expect.stringMatching(/^added driver-00001 /),
      expect.stringMatching(/ 1 changes$/),
    ]);
    expect(await mirrored()).toEqual(await listed(7));
    world.clock.now -= 4 * 3_600_000;
  });

  it('contains a program that keeps older trips, and follows a trip that moves to before the first day', async () => {
    await mirror(7);
    await publish(
      tripProcessed({ source_trip_id: 'a', revision: 3, driver_id: 'driver-00001', trip_start_time: noon(30) }),
    );
    expect(await mirror(7)).toContain(`changed driver-00001 ${dayOf(3)}, driver-00001 ${dayOf(30)}`);
    expect(await mirrored()).toEqual(await listed(40));
    expect((await mirror(7)).at(-1)).toMatch(/ 0 changes$/);
  });

  it('contains a program that changes nothing if it gets an error', async () => {
    const before = await mirrored();
    await expect(shell.run('MILEPOST_URL=$MILEPOST_URL/wrong node mirror.mjs 2026-01-01')).rejects.toThrow(
      'Exit code 1',
    );
    await expect(shell.run('MILEPOST_KEY=wrong node mirror.mjs 2026-01-01')).rejects.toThrow('Exit code 1');
    expect(await mirrored()).toEqual(before);
  });
});
