import { runAudit } from '@milepost/audit';
import { dateOf } from '@milepost/domain/calendar';
import { tripId } from '@milepost/domain/trip-id';
import { showAudit } from '@milepost/operations/audits';
import type { tripTrace } from '@milepost/operations/trace';
import { PROJECTIONS } from '@milepost/projections';
import type { Static } from 'typebox';
import { expect } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { expectRows, expectTexts, hashOf, readLinks, readTable } from '../support/console/contents.ts';
import { it, openPerSuite } from '../support/console/operate.ts';
import { shownDate, shownDays, shownInteger, shownTime } from '../support/console/shown.ts';
import { deliverAndProject } from '../support/pipeline.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../support/records.ts';

const DAY_MILLISECONDS = 86_400_000;
/** The number of days on which a read table differs. The report contains only the first of them. */
const ALL_DAYS = 5_000;
const [KEPT, DROPPED] = [tripId('acme', 'kept'), tripId('acme', 'dropped')];

type Stored = Static<typeof tripTrace.answer>['stored_events'][number];

type Origin = Record<'topic' | 'partition', string | number | null> & { offset: number };

const originOf = ({ topic, partition, offset }: Origin) => `${topic}/${partition} at ${shownInteger(offset)}`;
const STORED_TITLES = ['Position', 'Kind', 'Revision', 'State', 'Driver', 'Source', 'Stored'];

function storedRow(event: Stored, state: string): string[] {
  const { position, kind, revision, driver_id, stored_at } = event;
  const shown = [shownInteger(position), kind, String(revision), state, driver_id ?? '–', originOf(event)];
  return [...shown, shownTime(stored_at)];
}

describeWithBrowser("Operate's audits and lineage", () => {
  const operate = openPerSuite();
  let audit: number;
  let day: string;

  it.beforeAll(async () => {
    const { owner, projector } = operate.world.pipeline;
    day = dateOf(Date.parse(`${operate.day}T00:00:00Z`) - DAY_MILLISECONDS);
    const trip = (id: string) =>
      tripProcessed({ source_trip_id: id, driver_id: 'driver-2', trip_start_time: Date.parse(`${day}T08:00:00Z`) });
    const profile = driverProfile({ driver_id: 'driver-2' });
    const stored = [profile, { ...profile, revision: 2 }, trip('kept'), trip('kept'), trip('dropped')];
    const broken = { ...trip('kept'), revision: 2, distance_miles: 'far' };
    const records = [...stored, broken, tripDeleted({ source_trip_id: 'dropped' })];
    await deliverAndProject(operate.world.pipeline, records, 'milepost.trips');
    await runAudit(projector, PROJECTIONS);
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

  it('list each audit with its result, scope and duration', async () => {
    const { page } = await operate.open('#/audits');
    const { audits } = await operate.json('/audits');
    await page.getByRole('table', { name: 'Audits' }).waitFor();
    const [, ...rows] = await readTable(page, 'Audits');
    expect(rows.map((row) => row.slice(0, 5))).toEqual(
      [
        ['3', '1 fault', 'trips'],
        ['2', '5 faults', 'all read tables'],
        ['1', 'no findings', 'all read tables'],
      ].map(([id, result, scope], index) => {
        const { at, position } = audits[index];
        return [id, result, shownTime(at), scope, shownInteger(position)];
      }),
    );
    expect(rows[1]?.[5]).toBe('1 min 5 s');
    await page.getByRole('table', { name: 'Audits' }).getByRole('link', { name: '1', exact: true }).click();
    await page.getByText(/^The audit found no faults\. /).waitFor();
    await expectTexts(page.getByRole('heading', { level: 2 }), []);
  });

  it("show which rows and days of each read table an audit found wrong, and each finding's stored events", async () => {
    const { page } = await operate.open(`#/audits/${audit}`);
    const { at, position, report } = await operate.read(showAudit, `/audits/${audit}`);
    const { faults, projections } = report;
    await page.getByRole('heading', { name: 'Findings' }).waitFor();
    expect(await page.locator('.health.ill').innerText()).toBe(
      `5 faults found. ${shownTime(at)}, up to position ${shownInteger(position)}, in 1 min 5 s.`,
    );
    await expectRows(
      page,
      'Comparison of the read tables with the log',
      projections.map(({ projection, generation, checkpoint, expected_rows, actual_rows, differences }) => [
        ...[projection, String(generation)],
        ...[checkpoint, expected_rows, actual_rows, differences].map(shownInteger),
      ]),
    );
    for (const { projection: name, differing_days } of projections.filter((each) => each.differing_days.length > 0)) {
      const title = page.getByRole('heading', { name: `Days of ${name} that differ`, exact: true });
      const section = page.locator('section').filter({ has: title });
      const days = differing_days.map((each) => ({ ...each, before: each.expected_rows, after: each.actual_rows }));
      await expectRows(section, 'Days that differ, expected and found', shownDays(days));
    }
    const note = 'The table shows the first 3 of 5,000 days that differ.';
    await expectTexts(page.getByText(/^The table shows the first/), [note]);
    const findings = page.locator('ol.cards > li');
    await expectTexts(
      findings.locator(':scope > p'),
      faults.flatMap(({ check, projection: table, day: on, key, detail }) => [
        `${check.replace('_', ' ')} in ${table}${on === null ? '' : `, ${on}`}, ${key}`,
        detail,
      ]),
    );
    const number = faults.findIndex((fault) => fault.projection === 'drivers') + 1;
    const finding = findings.nth(number - 1);
    await finding.locator('summary').click();
    const events = faults[number - 1]?.positions ?? [];
    await expectRows(
      page,
      `Stored events affected by fault ${number}`,
      events.map((event) => {
        const subject = event.trip_id === null ? 'driver driver-2 of acme' : `trip ${event.trip_id}`;
        return [shownInteger(event.position), event.kind, subject, expect.anything(), originOf(event)];
      }),
    );
    expect(await readLinks(finding)).toEqual([[`trip ${KEPT}`, `#/lineage/trip/${KEPT}`]]);
  });

  it("open a trip's lineage from its id", async () => {
    const { page } = await operate.open('#/lineage');
    const form = page.getByRole('form', { name: 'A trip' });
    await form.getByLabel('Trip id').fill(` ${KEPT} `);
    await form.getByRole('button', { name: 'Trace the trip' }).click();
    await expect.poll(() => hashOf(page)).toBe(`#/lineage/trip/${KEPT}`);
    const trace = await operate.json(`/trips/${KEPT}/trace`);
    const position = shownInteger(trace.current_position);
    const served = `The API returns the trip as stored at position ${position}.`;
    await expectTexts(page.locator('.headline'), [`Fleet acme, kept in the source. ${served}`]);
    const [[event], [duplicate], [letter]] = [trace.stored_events, trace.duplicates, trace.dead_letters];
    expect(await readTable(page, 'Stored events')).toEqual([STORED_TITLES, storedRow(event, 'current')]);
    expect(await readTable(page, 'Duplicates')).toEqual([
      ['Source', 'Stored at', 'Received'],
      [originOf(duplicate), position, shownTime(duplicate.received_at)],
    ]);
    expect(await readTable(page, 'Dead letters')).toEqual([
      ['Dead letter', 'Reason', 'Fault', 'Source', 'Settled'],
      [String(letter.id), 'invalid field', letter.message, originOf(letter), 'open'],
    ]);
    const reflected = `The API reflects the event log up to position ${shownInteger(trace.answer_position)}.`;
    await page.getByText(reflected, { exact: true }).waitFor();
  });

  it('say that a trip has been deleted, and which stored event supersedes which', async () => {
    const { page } = await operate.open(`#/lineage/trip/${DROPPED}`);
    const { stored_events: events } = await operate.json(`/trips/${DROPPED}/trace`);
    await expectTexts(page.locator('.headline'), [
      'Fleet acme, dropped in the source. The trip has been deleted, so the API does not return it.',
    ]);
    const [first, second] = events.map(({ position }: Stored) => shownInteger(position));
    await expectRows(page, 'Stored events', [
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
    const trace = await operate.json(`/drivers/acme/driver-2/trace?date=${day}`);
    await expectTexts(page.locator('.headline'), [`The summary of ${shownDate(day)} contains 1 trip.`]);
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
    const profile = (await readTable(page, 'Stored events of the profile')).slice(1).map(([at]) => at);
    expect(profile).toEqual(trace.profile_events.map(({ position }: Stored) => shownInteger(position)));
    const erase = page.getByRole('link', { name: 'Erase this driver' });
    expect(await erase.getAttribute('href')).toBe('#/erasure?fleet=acme&driver=driver-2');
  });
});
