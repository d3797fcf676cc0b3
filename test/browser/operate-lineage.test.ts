import { runAudit } from '@milepost/audit';
import { dateOf } from '@milepost/domain/calendar';
import { tripId } from '@milepost/domain/trip-id';
import { PROJECTIONS } from '@milepost/projections';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { expectDifferingDays } from '../support/console/differing-days.ts';
import { type OperateWorld, openOperate } from '../support/console/operate.ts';
import { readLinks, readTable, shownDate, shownInteger, shownTime } from '../support/console/reading.ts';
import { deliver, projectAll } from '../support/pipeline.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../support/records.ts';

const DAY_MILLISECONDS = 86_400_000;
/** The number of days on which a read table differs. The report contains only the first of them. */
const ALL_DAYS = 5_000;
const [KEPT, DROPPED] = [tripId('acme', 'kept'), tripId('acme', 'dropped')];

interface Origin {
  topic: string;
  partition: number;
  offset: number;
}

interface Stored extends Origin {
  position: number;
  kind: string;
  revision: number;
  driver_id: string | null;
  stored_at: string;
}

interface Subject extends Origin {
  position: number;
  kind: string;
  revision: number;
  driver_id: string;
  fleet_id: string;
  trip_id: string | null;
}

interface Fault {
  check: string;
  projection: string;
  day: string | null;
  key: string;
  detail: string;
  positions: Subject[];
}

interface Compared {
  projection: string;
  generation: number;
  checkpoint: number;
  expected_rows: number;
  actual_rows: number;
  differences: number;
  differing_days: { day: string | null; expected_rows: number; actual_rows: number }[];
}

const hashOf = (page: Page) => new URL(page.url()).hash;
const originOf = ({ topic, partition, offset }: Origin) => `${topic}/${partition} at ${shownInteger(offset)}`;
const secondsOf = (seconds: number) => `${seconds.toFixed(1)} s`;
const STORED_TITLES = ['Position', 'Kind', 'Revision', 'State', 'Driver', 'Source', 'Stored'];

function storedRow(event: Stored, state: string): string[] {
  const { position, kind, revision, driver_id, stored_at } = event;
  const shown = [shownInteger(position), kind, String(revision), state, driver_id ?? '–', originOf(event)];
  return [...shown, shownTime(stored_at)];
}

describeWithBrowser("Operate's audits and lineage", () => {
  let operate: OperateWorld;
  let audit: number;
  let day: string;
  const ask = async (path: string) => (await operate.ask(path)).json();

  beforeAll(async () => {
    operate = await openOperate();
    const { ingest, owner, projector } = operate.world.pipeline;
    day = dateOf(Date.parse(`${operate.day}T00:00:00Z`) - DAY_MILLISECONDS);
    const trip = (id: string) =>
      tripProcessed({ source_trip_id: id, driver_id: 'driver-2', trip_start_time: Date.parse(`${day}T08:00:00Z`) });
    const profile = driverProfile({ driver_id: 'driver-2' });
    const stored = [profile, { ...profile, revision: 2 }, trip('kept'), trip('kept'), trip('dropped')];
    const broken = { ...trip('kept'), revision: 2, distance_miles: 'far' };
    await deliver(ingest, [...stored, broken, tripDeleted({ source_trip_id: 'dropped' })], 'milepost.trips');
    await projectAll(operate.world.pipeline);
    // The worker runs an audit when it starts.
    const isAudited = async () => expect((await ask('/audits')).audits).toHaveLength(1);
    await vi.waitFor(isAudited, { timeout: 120_000, interval: 200 });
    await owner.query(`DELETE FROM trips WHERE driver_id = 'driver-1'`);
    await owner.query(`DELETE FROM drivers WHERE driver_id = 'driver-2'`);
    await owner.query(`UPDATE daily_rollups SET date = date - 400 WHERE driver_id = 'driver-1'`);
    await owner.query(
      `UPDATE daily_rollups SET summary = replace(summary, '"trip_count":1', '"trip_count":9') WHERE driver_id = 'driver-2'`,
    );
    audit = (await runAudit(projector, PROJECTIONS)).id;
    await runAudit(projector, PROJECTIONS, { projection: 'trips' });
    await owner.query(
      `UPDATE audit SET report = jsonb_set(report, '{projections,0,differing_day_count}', '${ALL_DAYS}') WHERE audit_id = $1`,
      [audit],
    );
    await owner.query('UPDATE audit SET seconds = 65 WHERE audit_id = $1', [audit]);
  });
  afterAll(async () => await operate?.close());

  it('list each audit with its result, scope and duration', async () => {
    const { page } = await operate.open('#/audits');
    const { audits } = await ask('/audits');
    await page.getByRole('table', { name: 'Audits' }).waitFor();
    const times = audits.map(({ at }: { at: string }) => shownTime(at));
    const positions = audits.map(({ position }: { position: number }) => shownInteger(position));
    expect(await readTable(page, 'Audits')).toEqual([
      ['Audit', 'Result', 'Time', 'Scope', 'Position', 'Duration'],
      ['3', '1 fault', times[0], 'trips', positions[0], secondsOf(audits[0].seconds)],
      ['2', '5 faults', times[1], 'all read tables', positions[1], '1 min 5 s'],
      ['1', 'no findings', times[2], 'all read tables', positions[2], secondsOf(audits[2].seconds)],
    ]);
    expect(await readLinks(page.getByRole('region', { name: 'Audits' }))).toEqual(
      ['3', '2', '1'].map((id) => [id, `#/audits/${id}`]),
    );
    await page.goto(`${operate.origin}/#/audits/1`);
    const equal = await ask('/audits/1');
    const sentence = `The audit found no faults. ${shownTime(equal.at)}, up to position ${shownInteger(equal.position)}, in ${secondsOf(equal.seconds)}.`;
    await expect.poll(async () => await page.locator('.health.well').innerText()).toBe(sentence);
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([]);
  });

  it('show which rows and days of each read table an audit found wrong', async () => {
    const { page } = await operate.open(`#/audits/${audit}`);
    const { at, position, report } = await ask(`/audits/${audit}`);
    const compared: Compared[] = report.projections;
    await page.getByRole('heading', { name: 'Findings' }).waitFor();
    expect(await page.locator('.health.ill').innerText()).toBe(
      `5 faults found. ${shownTime(at)}, up to position ${shownInteger(position)}, in 1 min 5 s.`,
    );
    expect(await readTable(page, 'Read tables compared with the log')).toEqual([
      ['Projection', 'Generation', 'Checkpoint', 'Rows expected', 'Rows found', 'Differences'],
      ...compared.map((each) => [
        each.projection,
        String(each.generation),
        ...[each.checkpoint, each.expected_rows, each.actual_rows, each.differences].map(shownInteger),
      ]),
    ]);
    const wrong = page.getByRole('table', { name: 'Read tables compared with the log' }).locator('.fault');
    expect(await wrong.allInnerTexts()).toEqual(['3', '1', '1']);
    const differing = compared.filter(({ differing_days }) => differing_days.length > 0);
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      ...differing.map(({ projection }) => `Days of ${projection} that differ`),
      'Findings',
    ]);
    for (const { projection, differing_days } of differing) {
      const days = differing_days.map((each) => ({
        day: each.day,
        before: each.expected_rows,
        after: each.actual_rows,
      }));
      const title = `Days of ${projection} that differ`;
      await expectDifferingDays(page, title, { days, before: 'expected', after: 'found' });
    }
    expect(await page.getByText(/^The table shows the first/).allInnerTexts()).toEqual([
      'The table shows the first 3 of 5,000 days that differ.',
    ]);
  });

  it('show each finding with its stored events', async () => {
    const { page } = await operate.open(`#/audits/${audit}`);
    const faults: Fault[] = (await ask(`/audits/${audit}`)).report.faults;
    const findings = page.locator('ol.cards > li');
    await findings.first().waitFor();
    expect(await findings.locator(':scope > p').allInnerTexts()).toEqual(
      faults.flatMap(({ check, projection, day: on, key, detail }) => [
        `${check.replace('_', ' ')} in ${projection}${on === null ? '' : `, ${on}`}, ${key}`,
        detail,
      ]),
    );
    const caused = faults.filter(({ positions }) => positions.length > 0);
    expect(await findings.locator('summary').allInnerTexts()).toEqual(
      caused.map(({ positions }) => `${positions.length} stored events`),
    );
    const number = faults.findIndex(({ projection }) => projection === 'drivers') + 1;
    await findings
      .nth(number - 1)
      .locator('summary')
      .click();
    const events = faults[number - 1]?.positions ?? [];
    expect(await readTable(page, `Stored events of fault ${number}`)).toEqual([
      ['Position', 'Kind', 'Subject', 'Revision', 'Source'],
      ...events.map((event) => [
        shownInteger(event.position),
        event.kind,
        event.trip_id === null ? 'driver driver-2 of acme' : `trip ${event.trip_id}`,
        String(event.revision),
        originOf(event),
      ]),
    ]);
    expect(await readLinks(findings.nth(number - 1))).toEqual([[`trip ${KEPT}`, `#/lineage/trip/${KEPT}`]]);
  });

  it('open the lineage of a trip from its id', async () => {
    const { page } = await operate.open('#/lineage');
    const form = page.getByRole('form', { name: 'A trip' });
    await form.getByRole('button', { name: 'Trace the trip' }).click();
    expect(hashOf(page)).toBe('#/lineage');
    await form.getByLabel('Trip id').fill(` ${KEPT} `);
    await form.getByRole('button', { name: 'Trace the trip' }).click();
    await expect.poll(() => hashOf(page)).toBe(`#/lineage/trip/${KEPT}`);
    const trace = await ask(`/trips/${KEPT}/trace`);
    const position = shownInteger(trace.current_position);
    await expect
      .poll(async () => await page.locator('.headline').allInnerTexts())
      .toEqual([`Fleet acme, kept in the source. The API returns the trip as stored at position ${position}.`]);
    expect(await readTable(page, 'Stored events')).toEqual([
      STORED_TITLES,
      storedRow(trace.stored_events[0], 'current'),
    ]);
    const [duplicate] = trace.duplicates;
    expect(await readTable(page, 'Duplicates')).toEqual([
      ['Source', 'Stored at', 'Received'],
      [originOf(duplicate), position, shownTime(duplicate.received_at)],
    ]);
    const [letter] = trace.dead_letters;
    expect(await readTable(page, 'Dead letters')).toEqual([
      ['Dead letter', 'Reason', 'Fault', 'Source', 'Settled'],
      [String(letter.id), 'invalid field', letter.message, originOf(letter), 'open'],
    ]);
    const region = page.getByRole('region', { name: 'Dead letters', exact: true });
    expect(await readLinks(region)).toEqual([[String(letter.id), `#/dead-letters/${letter.id}`]]);
    await page
      .getByText(`The API reflects the event log up to position ${shownInteger(trace.answer_position)}.`, {
        exact: true,
      })
      .waitFor();
    expect(await page.getByText('These lists are incomplete').count()).toBe(0);
  });

  it('say that a trip is deleted, and which stored event supersedes which', async () => {
    const { page } = await operate.open(`#/lineage/trip/${DROPPED}`);
    const { stored_events: events } = await ask(`/trips/${DROPPED}/trace`);
    await expect
      .poll(async () => await page.locator('.headline').allInnerTexts())
      .toEqual(['Fleet acme, dropped in the source. The trip is deleted, so the API does not return it.']);
    const [first, second] = events.map(({ position }: Stored) => shownInteger(position));
    expect((await readTable(page, 'Stored events')).slice(1)).toEqual([
      storedRow(events[0], `superseded, superseded by ${second}`),
      storedRow(events[1], `current, supersedes ${first}`),
    ]);
    await page.getByText('There are no duplicates.', { exact: true }).waitFor();
    await page.getByText('There are no dead letters.', { exact: true }).waitFor();
    await page.goto(`${operate.origin}/#/lineage/trip/${'0'.repeat(32)}`);
    await page.getByRole('alert').getByRole('heading', { name: 'Not found' }).waitFor();
    expect(await page.locator('.headline').count()).toBe(0);
  });

  it("show which stored events a driver's day contains", async () => {
    const { page } = await operate.open(`#/lineage/acme/driver-2/${day}`);
    const trace = await ask(`/drivers/acme/driver-2/trace?date=${day}`);
    await expect
      .poll(async () => await page.locator('.headline').allInnerTexts())
      .toEqual([`The summary of ${shownDate(day)} contains 1 trip.`]);
    await page.getByText('Driver driver-2 of fleet acme', { exact: true }).waitFor();
    const [kept, dropped, deleted] = trace.stored_events;
    const short = (id: string) => `${id.slice(0, 8)}…`;
    expect(await readTable(page, 'Stored events of the day')).toEqual([
      [...STORED_TITLES, 'Trip', 'In the summary'],
      [...storedRow(kept, 'current'), short(KEPT), 'yes'],
      [...storedRow(dropped, `superseded, superseded by ${shownInteger(deleted.position)}`), short(DROPPED), 'no'],
      [...storedRow(deleted, `current, supersedes ${shownInteger(dropped.position)}`), short(DROPPED), 'no'],
    ]);
    expect(await readLinks(page.getByRole('region', { name: 'Stored events of the day' }))).toEqual(
      [KEPT, DROPPED, DROPPED].map((id) => [short(id), `#/lineage/trip/${id}`]),
    );
    const profile = (await readTable(page, 'Stored events of the profile')).slice(1);
    expect(profile.map(([position, kind]) => [position, kind])).toEqual(
      trace.profile_events.map(({ position, kind }: Stored) => [shownInteger(position), kind]),
    );
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Stored events of the day',
      'Stored events of the profile',
      'Duplicates',
      'Dead letters',
    ]);
    const erase = page.getByRole('link', { name: 'Erase this driver' });
    expect(await erase.getAttribute('href')).toBe('#/erasure?fleet=acme&driver=driver-2');
    await page.goto(`${operate.origin}/#/lineage/acme/${encodeURIComponent('to erase/1')}/${operate.day}`);
    await page.getByText('None.', { exact: true }).waitFor();
    expect(await page.getByRole('table', { name: 'Stored events of the profile' }).count()).toBe(0);
  });
});
