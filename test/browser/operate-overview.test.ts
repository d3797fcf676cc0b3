import { replaceKafkaFindings } from '@milepost/kafka/findings';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { expectRows, expectTexts, readLinks, readTable } from '../support/console/contents.ts';
import { it, liveMark, openPerSuite } from '../support/console/operate.ts';
import { shownInteger, shownTime } from '../support/console/shown.ts';
import { deliver, deliverAndProject } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';

const FAULT_AT = '2025-01-15T08:00:05Z';
const STOPPED = 'The topic lost records before they were read.';
const UNREAD = 'The partition cannot be fetched.';
const DIFFERENT = 'The read table has a different version.';
const FAILURE = 'A row violates a constraint.';
/** The position of the event that one projection cannot apply. The event is three hours old. */
const FAILED_POSITION = 4;

const SOURCE_TITLES = ['Topic', 'Partition', 'Next offset', 'End', 'Lag', 'State'];

/** Every number in the overview must match the status, and every fault must be visible. */
describeWithBrowser("Operate's pipeline overview", () => {
  const operate = openPerSuite({}, 3);
  const change = async (sql: string, values: unknown[] = []) => await operate.world.pipeline.owner.query(sql, values);

  const failProjection = async (name: string, position: number | null, failure: string | null) =>
    await change('UPDATE generation SET failed_position = $2, failure = $3 WHERE projection = $1 AND live', [
      name,
      position,
      failure,
    ]);
  const stopTrips = async () => {
    await change(`UPDATE generation SET checkpoint = $1 WHERE projection = 'trips' AND live`, [FAILED_POSITION - 1]);
    await failProjection('trips', FAILED_POSITION, FAILURE);
  };
  const failSource = async (topic: string, stopped: boolean, fault: string) =>
    await change('UPDATE log_source SET stopped = $2, fault = $3, fault_at = $4 WHERE topic = $1', [
      topic,
      stopped,
      fault,
      FAULT_AT,
    ]);

  it.beforeAll(async () => {
    const { ingest } = operate.world.pipeline;
    const brief = { duration_seconds: 30 };
    const trips = (count: number, fields: object) =>
      Array.from({ length: count }, (_, index) =>
        tripProcessed({ source_trip_id: `${JSON.stringify(fields)}-${index}`, ...fields }),
      );
    await deliver(ingest, [...trips(3, brief), ...trips(1, { highway_miles: 13 })], 'depot.trips');
    await deliver(ingest, [{ ...trips(2, {})[1], colour: 'red' }, '{broken', '{broken too'], 'file:early.ndjson');
    await deliver(ingest, trips(5, { driver_id: 'north' }), 'north.trips');
    await deliverAndProject(operate.world.pipeline, trips(1, { driver_id: 'west' }), 'west.trips');
    await change(`UPDATE log_source SET partition = 3 WHERE topic = 'north.trips'`);
    await change(`UPDATE stored_event SET stored_at = now() - interval '3 hours' WHERE position = $1`, [
      FAILED_POSITION,
    ]);
  });

  const openLive = async (hash: string): Promise<Page> => {
    const { page } = await operate.open(hash);
    await liveMark(page).waitFor();
    await page.getByRole('table', { name: 'Projections' }).waitFor();
    return page;
  };

  it('shows the sources with their offsets and faults, and resumes a source at an offset that is entered', async () => {
    await failSource('north.trips', true, STOPPED);
    await failSource('west.trips', false, UNREAD);
    const page = await openLive('#/lanes/0/');
    const { rows } = await change(`SELECT next_offset FROM log_source WHERE topic = 'milepost.trips'`);
    const since = shownTime(FAULT_AT);
    const running = [
      ['depot.trips', '0', '4', '–', '–', 'running'],
      ['milepost.trips', '0', shownInteger(Number(rows[0].next_offset)), '–', '–', 'running'],
    ];
    const stopped = ['north.trips', '3', '5', '–', '–', `stopped since ${since}: ${STOPPED} Resume at an offset`];
    const unread = ['west.trips', '0', '1', '–', '–', `cannot be read since ${since}: ${UNREAD} Resume at an offset`];
    const file = ['file:early.ndjson', '0', '3', '3', '0', 'running'];
    const sources = async () => await readTable(page, 'Sources');
    await expect.poll(sources).toEqual([SOURCE_TITLES, ...running, stopped, unread, file]);

    const dialog = page.getByRole('dialog');
    const resume = async (topic: string, offset: string) => {
      await page.getByRole('row', { name: topic }).getByRole('button', { name: 'Resume at an offset' }).click();
      await dialog.getByRole('textbox').fill('12.5');
      expect(await dialog.getByRole('button', { name: 'Resume' }).isDisabled()).toBe(true);
      await dialog.getByRole('textbox').fill(offset);
      await dialog.getByRole('button', { name: 'Resume' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await resume('north.trips', ' 12 ');
    await resume('west.trips', '');
    const resumed = [
      ['north.trips', '3', '12', '–', '–', 'running'],
      ['west.trips', '0', '0', '–', '–', 'running'],
    ];
    await expect.poll(sources).toEqual([SOURCE_TITLES, ...running, ...resumed, file]);
  });

  it("shows each projection's checkpoint and lag, and where it has stopped", async () => {
    await stopTrips();
    await failProjection('drivers', null, DIFFERENT);
    const page = await openLive('#/lanes/0/');
    // The server begins a stream with its most recent status, which may be older than the changes above.
    for (const failure of [FAILURE, DIFFERENT]) await page.getByText(failure).first().waitFor();
    const { head_position: head, dead_letters: letters, projections } = await operate.json('/lanes/0/status');
    const [, ...rows] = await readTable(page, 'Projections');
    expect(rows).toEqual(
      projections.map(({ name, version, generation }: (typeof projections)[number]) => {
        const start = [name, String(version), String(generation)];
        if (name !== 'trips') {
          const state = name === 'drivers' ? `stopped: ${DIFFERENT}` : 'running';
          return [...start, shownInteger(head), '0', '0.0 s', state];
        }
        const lag = [shownInteger(head - FAILED_POSITION + 1), expect.stringMatching(/^3 h 0\d min$/)];
        return [...start, String(FAILED_POSITION - 1), ...lag, `stopped at position ${FAILED_POSITION}: ${FAILURE}`];
      }),
    );
    expect(await page.locator('.figure .large').last().innerText()).toMatch(/^10,8\d\d\.\d seconds$/);
    expect(await page.locator('.headline').innerText()).toBe(
      `The log ends at position ${shownInteger(head)}. There are ${letters} open dead letters.`,
    );
  });

  it('shows anything unusual: findings about Kafka, warnings about records, and dead letters by reason', async () => {
    const finding = { topic: 'depot.trips', message: 'The topic cannot be read.' };
    await replaceKafkaFindings(operate.world.pipeline.ingest, [
      { ...finding, code: 'topic_denied', isWarning: false },
      { ...finding, code: 'topic_compacted', isWarning: true, message: 'The topic is compacted.' },
    ]);
    await change(`UPDATE kafka_finding SET found_at = $1`, [FAULT_AT]);
    const page = await openLive('#/lanes/0/');
    const findings = page.getByRole('heading', { name: 'Kafka' }).locator('..').getByRole('listitem');
    await expect
      .poll(async () => await findings.allTextContents())
      .toEqual([
        `Error since ${shownTime(FAULT_AT)}: The topic cannot be read.`,
        `Warning since ${shownTime(FAULT_AT)}: The topic is compacted.`,
      ]);
    await expectRows(page, 'Warnings', [
      ['file:early.ndjson', 'unknown field', 'the whole record', '1'],
      ['depot.trips', 'duration differs', '/duration_seconds', '3'],
      ['depot.trips', 'part exceeds whole', '/highway_miles', '1'],
    ]);
    const { rows } = await change(
      `SELECT reason, count(*)::text AS letters FROM dead_letter WHERE resolution IS NULL GROUP BY reason`,
    );
    const table = page.getByRole('table', { name: 'Dead letters by reason' });
    await table.waitFor();
    const [, ...shown] = await readTable(page, 'Dead letters by reason');
    expect(shown.toSorted()).toEqual(
      rows.map(({ reason, letters }) => [reason.replaceAll('_', ' '), letters]).toSorted(),
    );
    expect((await readLinks(table)).map(([, href]) => href)).toContain('#/lanes/0/dead-letters?reason=invalid_json');
  });

  it('says why the service is not ready, and in which lane, and when it is ready again', async () => {
    await stopTrips();
    await failSource('north.trips', true, STOPPED);
    const page = await openLive('#/lanes/0/');
    const health = page.locator('.health');
    await expectTexts(health, [
      expect.stringMatching(
        /^Not ready, lane 0\. The read tables lag behind the event log\. The oldest event that has not been applied was stored 3 h \d\d min ago; the limit is 1 min\. A projection has stopped at position 4\.$/,
      ),
    ]);
    await expect
      .poll(async () => (await page.getByRole('alert').allInnerTexts()).join() === (await health.innerText()))
      .toBe(true);
    await change(
      `UPDATE generation SET checkpoint = (SELECT position FROM log_head), failed_position = NULL, failure = NULL WHERE live`,
    );
    await expectTexts(health, ['Not ready, lane 0. A source has stopped or cannot be read. See the table of sources.']);
    await change(`UPDATE log_source SET fault = NULL, fault_at = NULL, stopped = false`);
    await expectTexts(health, ['Ready: records are stored and applied on time.']);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('shows a lane without records as empty, not as still loading', async () => {
    const page = await openLive('#/lanes/1/');
    await expect.poll(async () => await page.locator('.loading').count()).toBe(0);
    await page.getByText('There are no open dead letters.').waitFor();
    await page.getByText('A source appears when ingest starts to read from it.').waitFor();
    expect(await page.locator('.headline').innerText()).toBe(
      'The log ends at position 0. There are 0 open dead letters.',
    );
  });

  it('shows each lane in its place, with its first fault and its links, even if it does not respond', async () => {
    await stopTrips();
    await failSource('north.trips', true, STOPPED);
    const { schema } = operate.world.pipeline.lane(1);
    await change(`REVOKE USAGE ON SCHEMA ${schema} FROM milepost_operator`);
    onTestFinished(async () => void (await change(`GRANT USAGE ON SCHEMA ${schema} TO milepost_operator`)));
    const page = await openLive('#/');
    const status = await operate.json('/status');
    expect(status.unavailable_lanes).toEqual([1]);
    const head = shownInteger(status.head_position);
    const letters = shownInteger(status.dead_letters);
    await expect
      .poll(async () => await readTable(page, 'Lanes'))
      .toEqual([
        ['Lane', 'Last position', 'Largest lag', 'Open dead letters', 'State'],
        ['Lane 0', head, expect.stringMatching(/^3 h \d\d min$/), letters, FAILURE],
        ['Lane 1', '–', '–', '–', 'does not respond'],
        ['Lane 2', '0', '0.0 s', '0', 'running'],
      ]);
    expect((await readLinks(page.getByRole('table', { name: 'Lanes' }))).slice(0, 2)).toEqual([
      ['Lane 0', '#/lanes/0/'],
      [letters, '#/lanes/0/dead-letters'],
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
  });
});
