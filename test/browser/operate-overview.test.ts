import { replaceKafkaFindings } from '@milepost/event-log';
import { newLane } from '@milepost/postgres/lanes';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { liveMark, type OperateWorld, openOperate } from '../support/console/operate.ts';
import { readLinks, readTable, shownInteger, shownTime } from '../support/console/reading.ts';
import { stopProjection, stopSource } from '../support/console/stopped.ts';
import { deliver, projectAll } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';

const FAULT_AT = '2025-01-15T08:00:05Z';
const STOPPED = 'The topic lost records before they were read.';
const UNREAD = 'The partition cannot be fetched.';
const DIFFERENT = 'The read table has a different version.';
const FAILURE = 'A row violates a constraint.';
/** The position of the event that one projection does not apply. The event is three hours old. */
const FAILED_POSITION = 4;

const SOURCE_TITLES = ['Topic', 'Partition', 'Next offset', 'End', 'Lag', 'State'];

/** Shows a duration of several hours. */
function hoursOf(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** Every number in the overview must be the one in the status, and every fault must be visible. */
describeWithBrowser("Operate's pipeline overview", () => {
  let operate: OperateWorld;
  const ask = async (path: string) => (await operate.ask(path)).json();
  const sourceOf = async (topic: string) =>
    (await ask('/lanes/0/status')).sources.find((source: { topic: string }) => source.topic === topic);
  const change = async (sql: string, values: unknown[] = []) => await operate.world.pipeline.owner.query(sql, values);

  const failProjection = async (name: string, position: number | null, failure: string | null) =>
    await stopProjection(operate.world.pipeline.owner, name, position, failure);
  const stopTrips = async () => {
    await change(`UPDATE generation SET checkpoint = $1 WHERE projection = 'trips' AND live`, [FAILED_POSITION - 1]);
    await failProjection('trips', FAILED_POSITION, FAILURE);
  };
  const failSource = async (topic: string, stopped: boolean, fault: string) =>
    await stopSource(operate.world.pipeline.owner, topic, { stopped, fault, at: FAULT_AT });

  beforeAll(async () => {
    operate = await openOperate({}, 3);
    const { ingest } = operate.world.pipeline;
    const brief = { duration_seconds: 30 };
    const trips = (count: number, fields: object) =>
      Array.from({ length: count }, (_, index) =>
        tripProcessed({ source_trip_id: `${JSON.stringify(fields)}-${index}`, ...fields }),
      );
    await deliver(ingest, [...trips(3, brief), ...trips(1, { highway_miles: 13 })], 'depot.trips');
    await deliver(ingest, [{ ...trips(2, {})[1], colour: 'red' }, '{broken', '{broken too'], 'file:early.ndjson');
    await deliver(ingest, trips(5, { driver_id: 'north' }), 'north.trips');
    await deliver(ingest, trips(1, { driver_id: 'west' }), 'west.trips');
    await projectAll(operate.world.pipeline);
    await change(`UPDATE log_source SET partition = 3 WHERE topic = 'north.trips'`);
    await change(`UPDATE stored_event SET stored_at = now() - interval '3 hours' WHERE position = $1`, [
      FAILED_POSITION,
    ]);
  });
  afterAll(async () => await operate?.close());

  const openLive = async (hash: string): Promise<Page> => {
    const { page } = await operate.open(hash);
    await liveMark(page).waitFor();
    await page.getByRole('table', { name: 'Projections' }).waitFor();
    return page;
  };

  it('shows the sources with their offsets and faults, and resumes one at the offset that the operator enters', async () => {
    await failSource('north.trips', true, STOPPED);
    await failSource('west.trips', false, UNREAD);
    const page = await openLive('#/lanes/0/');
    const read = (await sourceOf('milepost.trips')).next_offset;
    const since = shownTime(FAULT_AT);
    const running = [
      ['depot.trips', '0', '4', '–', '–', 'running'],
      ['milepost.trips', '0', shownInteger(read), '–', '–', 'running'],
    ];
    const stopped = ['north.trips', '3', '5', '–', '–', `stopped since ${since}: ${STOPPED} Resume at an offset`];
    const unread = ['west.trips', '0', '1', '–', '–', `cannot be read since ${since}: ${UNREAD} Resume at an offset`];
    const file = ['file:early.ndjson', '0', '3', '3', '0', 'running'];
    const sources = async () => await readTable(page, 'Sources');
    await expect.poll(sources).toEqual([SOURCE_TITLES, ...running, stopped, unread, file]);

    const dialog = page.getByRole('dialog');
    const resume = async (topic: string, offset: string) => {
      await page.getByRole('row', { name: topic }).getByRole('button', { name: 'Resume at an offset' }).click();
      await dialog.getByRole('heading').waitFor();
      expect(await dialog.getByRole('textbox').inputValue()).toBe('');
      await dialog.getByRole('textbox').fill('12.5');
      expect(await dialog.getByRole('button', { name: 'Resume' }).isDisabled()).toBe(true);
      await dialog.getByRole('textbox').fill(offset);
      const words = await dialog.innerText();
      await dialog.getByRole('button', { name: 'Resume' }).click();
      await dialog.waitFor({ state: 'detached' });
      return words;
    };
    expect(await resume('north.trips', ' 12 ')).toMatch(
      /^Resume north\.trips\/3 at an offset\s+The next offset is 5\. /,
    );
    await resume('west.trips', '');
    expect(await sourceOf('north.trips')).toMatchObject({ next_offset: 12, fault: null, stopped: false });
    expect(await sourceOf('west.trips')).toMatchObject({ next_offset: 0, fault: null, stopped: false });
    const [west, north] = (await ask('/operations')).operations;
    const [of, from] = [
      { action: 'sources.accept', outcome: 'done' },
      { lane: 0, partition: 3, from: 12 },
    ];
    expect(north).toMatchObject({ ...of, parameters: { ...from, topic: 'north.trips' } });
    expect(west).toMatchObject({ ...of, parameters: { topic: 'west.trips', partition: 0, from: 'beginning' } });
    await expect
      .poll(sources)
      .toEqual([
        SOURCE_TITLES,
        ...running,
        ['north.trips', '3', '12', '–', '–', 'running'],
        ['west.trips', '0', '0', '–', '–', 'running'],
        file,
      ]);
    await page.context().close();
  });

  it('shows the checkpoint, the lag and the stop of each projection, with the status that the request panel shows', async () => {
    await stopTrips();
    await failProjection('daily_rollups', null, DIFFERENT);
    const page = await openLive('#/lanes/0/');
    // The server begins a stream with its last status, which may be older than the changes above.
    for (const failure of [FAILURE, DIFFERENT]) await page.getByText(failure).first().waitFor();
    await page.getByText('The request of this view').click();
    await page.getByRole('region', { name: 'JSON of the response' }).waitFor();
    // Everything is read in one step, because the age of the oldest event grows with each status.
    const shown = await page.locator('main').evaluate((main) => {
      const tables = [...main.querySelectorAll('table')].map((table) =>
        [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent ?? '')),
      );
      return {
        projections: tables.find((rows) => rows[0]?.[0] === 'Projection'),
        figures: [...main.querySelectorAll('.figure .large')].map((figure) => figure.textContent),
        headline: main.querySelector('.headline')?.textContent,
        json: main.querySelector('[aria-label="JSON of the response"]')?.textContent ?? '',
      };
    });
    const status = JSON.parse(shown.json);
    const expected = await ask('/lanes/0/status');
    expect(status.projections.map(({ lag_seconds: _, ...others }: { lag_seconds: number }) => others)).toEqual(
      expected.projections.map(({ lag_seconds: _, ...others }: { lag_seconds: number }) => others),
    );
    const states = new Map([
      ['trips', `stopped at position ${FAILED_POSITION}: ${FAILURE}`],
      ['daily_rollups', `stopped: ${DIFFERENT}`],
    ]);
    const head = expected.head_position;
    expect(shown.projections).toEqual([
      ['Projection', 'Version', 'Generation', 'Checkpoint', 'Lag (events)', 'Lag (time)', 'State'],
      ...status.projections.map(({ name, version, generation, lag_seconds }: (typeof status.projections)[number]) => [
        name,
        String(version),
        String(generation),
        name === 'trips' ? String(FAILED_POSITION - 1) : shownInteger(head),
        name === 'trips' ? shownInteger(head - FAILED_POSITION + 1) : '0',
        name === 'trips' ? hoursOf(lag_seconds) : '0.0 s',
        states.get(name) ?? 'running',
      ]),
    ]);
    const lag = status.projections.find(({ name }: { name: string }) => name === 'trips').lag_seconds;
    expect(shown.figures.at(-1)).toBe(
      `${lag.toLocaleString('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} seconds`,
    );
    const letters = expected.dead_letters;
    expect(shown.headline).toBe(
      `The log ends at position ${shownInteger(head)}. There are ${letters} open dead letters.`,
    );
    await page.context().close();
  });

  it('shows what is odd: findings with Kafka, warnings about records, and dead letters by reason', async () => {
    const finding = { topic: 'depot.trips', message: 'The topic cannot be read.' };
    await replaceKafkaFindings(operate.world.pipeline.ingest, [
      { ...finding, code: 'topic_denied', isWarning: false },
      { ...finding, code: 'topic_compacted', isWarning: true, message: 'The topic is compacted.' },
    ]);
    await change(`UPDATE kafka_finding SET found_at = $1`, [FAULT_AT]);
    const page = await openLive('#/lanes/0/');
    const findings = page.getByRole('heading', { name: 'Kafka' }).locator('..').getByRole('listitem');
    await findings.first().waitFor();
    expect(await findings.allTextContents()).toEqual([
      `Error since ${shownTime(FAULT_AT)}: The topic cannot be read.`,
      `Warning since ${shownTime(FAULT_AT)}: The topic is compacted.`,
    ]);
    expect(await findings.evaluateAll((items) => items.map(({ className }) => className))).toEqual(['fault', '']);
    expect(await readTable(page, 'Warnings')).toEqual([
      ['Topic', 'Warning', 'Field', 'Records'],
      ['file:early.ndjson', 'unknown field', 'the whole record', '1'],
      ['depot.trips', 'duration differs', '/duration_seconds', '3'],
      ['depot.trips', 'part exceeds whole', '/highway_miles', '1'],
    ]);
    const { rows } = await change(
      `SELECT reason, count(*)::integer AS letters FROM dead_letter WHERE resolution IS NULL
       GROUP BY reason ORDER BY letters DESC`,
    );
    expect(rows.map(({ letters }) => letters)).not.toEqual(rows.map(() => 1));
    await page.getByRole('table', { name: 'Dead letters by reason' }).waitFor();
    const [titles, ...shown] = await readTable(page, 'Dead letters by reason');
    expect(titles).toEqual(['Reason', 'Open']);
    expect(shown.map(([, letters]) => Number(letters))).toEqual(rows.map(({ letters }) => letters));
    const expected = rows.map(({ reason, letters }) => [reason.replaceAll('_', ' '), String(letters)]);
    expect(shown.toSorted()).toEqual(expected.toSorted());
    const links = await readLinks(page.getByRole('table', { name: 'Dead letters by reason' }));
    expect(links).toEqual(
      shown.map(([words = '']) => [words, `#/lanes/0/dead-letters?reason=${words.replaceAll(' ', '_')}`]),
    );
    expect(await page.getByText('There are no open dead letters.').count()).toBe(0);
    await page.context().close();
  });

  it('says why the service is not ready, with the lane, and that it is ready again', async () => {
    await stopTrips();
    await failSource('north.trips', true, STOPPED);
    const page = await openLive('#/lanes/0/');
    const health = page.locator('.health');
    await expect
      .poll(async () => await health.innerText())
      .toMatch(
        /^Not ready, lane 0\. The read tables lag behind the event log\. The oldest event that is not applied was stored 3 h \d\d min ago; the limit is 1 min\. A projection has stopped at position 4\.$/,
      );
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([await health.innerText()]);
    await change(
      `UPDATE generation SET checkpoint = (SELECT position FROM log_head), failed_position = NULL, failure = NULL WHERE live`,
    );
    await expect
      .poll(async () => await health.innerText())
      .toBe('Not ready, lane 0. A source has stopped or cannot be read. See the table of sources.');
    await change(`UPDATE log_source SET fault = NULL, fault_at = NULL, stopped = false`);
    await expect.poll(async () => await health.innerText()).toBe('Ready: records are stored and applied in time.');
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.context().close();
  });

  it('shows a lane without records as empty, and not as one that is loading', async () => {
    const page = await openLive('#/lanes/1/');
    const letters = page.getByRole('heading', { name: 'Dead letters' }).locator('..');
    await expect.poll(async () => await page.locator('.loading').count()).toBe(0);
    expect(await letters.innerText()).toBe('Dead letters\n\nThere are no open dead letters.');
    await page.getByText('A source appears when ingest starts to read from it.').waitFor();
    expect(await page.locator('.headline').innerText()).toBe(
      'The log ends at position 0. There are 0 open dead letters.',
    );
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Rates of the last five minutes',
      'Sources',
      'No sources yet',
      'Projections',
      'Dead letters',
    ]);
    await page.context().close();
  });

  it('shows each lane with its first fault and its links, and a lane that does not answer in its place', async () => {
    await stopTrips();
    await failSource('north.trips', true, STOPPED);
    const { schema } = newLane(operate.world.pipeline.url, 1);
    await change(`REVOKE USAGE ON SCHEMA ${schema} FROM milepost_operator`);
    try {
      const page = await openLive('#/');
      const status = await ask('/status');
      expect(status.unavailable_lanes).toEqual([1]);
      const head = shownInteger(status.head_position);
      const letters = shownInteger(status.dead_letters);
      await expect
        .poll(async () => await readTable(page, 'Lanes'))
        .toEqual([
          ['Lane', 'Last position', 'Largest lag', 'Open dead letters', 'State'],
          ['Lane 0', head, expect.stringMatching(/^3 h \d\d min$/), letters, FAILURE],
          ['Lane 1', '–', '–', '–', 'does not answer'],
          ['Lane 2', '0', '0.0 s', '0', 'running'],
        ]);
      expect(await readLinks(page.getByRole('table', { name: 'Lanes' }))).toEqual([
        ['Lane 0', '#/lanes/0/'],
        [letters, '#/lanes/0/dead-letters'],
        ['Lane 1', '#/lanes/1/'],
        ['–', '#/lanes/1/dead-letters'],
        ['Lane 2', '#/lanes/2/'],
        ['0', '#/lanes/2/dead-letters'],
      ]);
      expect(await page.locator('.headline').innerText()).toBe(
        `The sum of the last positions of all lanes is ${head}. There are ${letters} open dead letters.`,
      );
      const north = page.getByRole('row', { name: 'north.trips' });
      expect(await north.innerText()).toContain(`${STOPPED} Open the lane to resume it.`);
      expect(await page.getByRole('button', { name: 'Resume at an offset' }).count()).toBe(0);
      expect(await page.getByRole('heading', { name: 'Dead letters' }).count()).toBe(0);
      await failProjection('trips', null, null);
      await expect.poll(async () => (await readTable(page, 'Lanes'))[1]?.at(-1)).toBe(STOPPED);
      await page.context().close();
    } finally {
      await change(`GRANT USAGE ON SCHEMA ${schema} TO milepost_operator`);
    }
  });
});
