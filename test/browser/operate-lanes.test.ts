import { join } from 'node:path';
import { tripId } from '@milepost/domain/trip-id';
import { lockOfSchema, ROLES } from '@milepost/postgres';
import { newLane } from '@milepost/postgres/lanes';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { holdLane } from '../support/console/hold.ts';
import { expectValidView, FIRST_LOOK, makeScreenshots, type TestedView } from '../support/console/looks.ts';
import { liveMark, type OperateWorld, openOperate } from '../support/console/operate.ts';
import { readLinks } from '../support/console/reading.ts';
import { whileLocked } from '../support/locks.ts';
import { deliver, openPartPool, projectAll } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';

const VIEWS: TestedView[] = [
  ['lanes-overview', '', /The sum of the last positions/],
  ['lanes-lane', '#/lanes/1/', /The log ends at position/],
  ['lanes-dead-letters', '#/lanes/0/dead-letters', /Newest first/],
];

/** The key of the lock in `packages/core/replay/building.ts`. */
const BUILDING_LOCK = 724_061_504;

const picker = (page: Page) => page.getByRole('combobox', { name: 'Lane', exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const hashOf = (page: Page) => new URL(page.url()).hash;

/**
 * An operator must see and change the lane that the page names, because the same id means something else in each lane.
 */
describeWithBrowser('Operate with two lanes', () => {
  let operate: OperateWorld;
  let screenshots: string;
  const ask = async (path: string) => (await operate.ask(path)).json();

  beforeAll(async () => {
    screenshots = await makeScreenshots('operate');
    operate = await openOperate({}, 2);
    const { pipeline } = operate.world;
    const [ingest, projector] = [ROLES.ingest, ROLES.projector].map((role) =>
      openPartPool(newLane(pipeline.url, 1), role),
    );
    if (!ingest || !projector) throw new Error('There are no pools.');
    await pipeline.directory.query(`INSERT INTO fleet (fleet_id, lane) VALUES ('south', 1)`);
    const start = Date.parse(`${operate.day}T08:00:00Z`);
    const trip = (id: string) =>
      tripProcessed({ fleet_id: 'south', driver_id: 'driver-south', source_trip_id: id, trip_start_time: start });
    await deliver(ingest, [trip('one'), trip('two'), { ...trip('three'), distance_miles: 'southern' }], 'south.trips');
    await projectAll({ projector });
    await Promise.all([ingest.end(), projector.end()]);
  });
  afterAll(async () => await operate?.close());

  it('shows the sums of all lanes or the figures of the chosen one, and keeps the choice on reload', async () => {
    const { page } = await operate.open();
    await liveMark(page).waitFor();
    const head = async () => Number((await page.locator('.head-position').innerText()).replaceAll(',', ''));
    const { head_position, lanes } = await ask('/status');
    expect(await head()).toBe(head_position);
    const table = page.getByRole('table', { name: 'Lanes' });
    expect(await table.getByRole('row').count()).toBe(3);
    await picker(page).selectOption('1');
    await expect.poll(head).toBe(lanes[1].head_position);
    expect(hashOf(page)).toBe('#/lanes/1/');
    await page.getByRole('table', { name: 'Dead letters by reason' }).waitFor();
    await page.reload();
    await expect.poll(head).toBe(2);
    expect(await page.locator('.headline').innerText()).toBe(
      'The log ends at position 2. There is 1 open dead letter.',
    );
    expect(await page.getByRole('table', { name: 'Sources' }).innerText()).not.toContain('milepost.trips');
    await page.getByRole('link', { name: 'Audits', exact: true }).click();
    await expect.poll(() => hashOf(page)).toBe('#/lanes/1/audits');
    await picker(page).selectOption('0');
    await expect.poll(() => hashOf(page)).toBe('#/lanes/0/audits');
  });

  it('computes no rate from the figures of two lanes', async () => {
    const { page } = await operate.open('#/lanes/1/');
    const rate = page.locator('.figure').filter({ hasText: 'Events stored' }).locator('.large');
    await expect.poll(async () => await rate.innerText()).toMatch(/^0 /);
    await picker(page).selectOption('0');
    const head = async () => Number((await page.locator('.head-position').innerText()).replaceAll(',', ''));
    await expect.poll(head).toBe((await ask('/lanes/0/status')).head_position);
    expect(await rate.innerText()).toMatch(/^[0–] /);
  });

  it('shows nothing of another lane while the data of the chosen one is loading', async () => {
    const { page } = await operate.open('#/lanes/0/dead-letters');
    const main = page.getByRole('main');
    const words = async () => await main.innerText();
    await expect.poll(words).toContain('milepost.trips');
    for (const [lane, own, other] of [
      ['1', 'south.trips', 'milepost.trips'],
      ['0', 'milepost.trips', 'south.trips'],
    ] as const) {
      const release = await holdLane(page, Number(lane));
      await picker(page).selectOption(lane);
      await expect.poll(words).toContain('Loading');
      expect(hashOf(page)).toBe(`#/lanes/${lane}/dead-letters`);
      expect(await words()).not.toContain(other);
      release();
      await expect.poll(words).toContain(own);
      expect(await words()).not.toContain(other);
      await page.unrouteAll();
    }
    await page.context().close();
  });

  it('shows no status of another lane, and follows one lane at a time', async () => {
    const { page } = await operate.open('#/lanes/0/');
    const ended: string[] = [];
    page.on('requestfailed', (request) => ended.push(new URL(request.url()).pathname));
    await liveMark(page).waitFor();
    await page.locator('.headline').waitFor();
    await expect.poll(async () => await page.locator('.health').innerText()).toMatch(/^Ready/);
    const release = await holdLane(page, 1);
    await picker(page).selectOption('1');
    const connecting = page.getByRole('banner').getByText('Connecting …', { exact: true });
    await expect.poll(async () => await connecting.count()).toBe(1);
    expect(await page.locator('.health').innerText()).toBe('The health of the service is currently unknown.');
    expect(await page.getByText('Loading the status …').count()).toBe(1);
    expect(await page.locator('.headline').count()).toBe(0);
    expect(await page.getByText('Not live').count()).toBe(0);
    await expect.poll(() => ended).toContain('/lanes/0/events');
    release();
    await expect
      .poll(async () => await page.locator('.headline').allInnerTexts())
      .toEqual(['The log ends at position 2. There is 1 open dead letter.']);
    await page.context().close();
  });

  it('ignores the answer of a lane that the operator has left', async () => {
    const { page } = await operate.open('#/lanes/1/audits');
    await page.getByRole('heading', { name: 'Audits' }).waitFor();
    const release = await holdLane(page, 0);
    const isAsked = page.waitForRequest((request) => request.url().includes('/lanes/0/dead-letters'));
    await page.goto(`${operate.origin}/#/lanes/0/dead-letters`);
    await isAsked;
    await picker(page).selectOption('1');
    const words = async () => await page.getByRole('main').innerText();
    await expect.poll(words).toContain('south.trips');
    const newer = page.waitForResponse((response) => response.url().endsWith('/readyz'));
    release();
    await newer;
    expect(await words()).toContain('south.trips');
    expect(await words()).not.toContain('milepost.trips');
    await page.context().close();
  });

  it('opens a view in the lane of its fleet, or else in the first one, and another lane at a list', async () => {
    const { page } = await operate.open('#/lanes/1/keys');
    await page.getByRole('button', { name: 'Create a key' }).waitFor();
    for (const [hash, opened] of [
      ['#/dead-letters?fleet_id=south', '#/lanes/1/dead-letters?fleet_id=south'],
      ['#/dead-letters?fleet_id=sou', '#/lanes/0/dead-letters?fleet_id=sou'],
      ['#/dead-letters?fleet_id=acme', '#/lanes/0/dead-letters?fleet_id=acme'],
      [`#/lineage/south/driver-south/${operate.day}`, `#/lanes/1/lineage/south/driver-south/${operate.day}`],
      ['#/erasure?fleet=south', '#/lanes/1/erasure?fleet=south'],
      ['#/replays', '#/lanes/0/replays'],
    ] as const) {
      await page.goto(`${operate.origin}/${hash}`);
      await expect.poll(() => hashOf(page)).toBe(opened);
    }
    const options = async () => await picker(page).locator('option').allInnerTexts();
    await expect.poll(options).toEqual(['0', '1']);
    // The address without a lane is not in the history, so the previous view is one step back.
    await page.goBack();
    await expect.poll(() => hashOf(page)).toBe('#/lanes/1/erasure?fleet=south');
    for (const [hash, inOther] of [
      ['#/lanes/1/replays/4711', '#/lanes/0/replays'],
      ['#/lanes/1/audits/4711', '#/lanes/0/audits'],
      ['#/lanes/1/dead-letters?fleet_id=south', '#/lanes/0/dead-letters?fleet_id=south'],
      ['#/lanes/1/lineage/trip/some', '#/lanes/0/lineage/trip/some'],
    ] as const) {
      await page.goto(`${operate.origin}/${hash}`);
      await expect.poll(async () => await picker(page).inputValue()).toBe('1');
      await picker(page).selectOption('0');
      await expect.poll(() => hashOf(page)).toBe(inOther);
    }
    const places = page.getByRole('navigation', { name: 'Views' });
    expect((await readLinks(places)).slice(0, 3)).toEqual([
      ['Pipeline', '#/lanes/0/'],
      ['Replays', '#/lanes/0/replays'],
      ['Dead letters', '#/lanes/0/dead-letters'],
    ]);
    await page.getByRole('link', { name: 'Pipeline', exact: true }).click();
    await expect.poll(options).toEqual(['all lanes', '0', '1']);
    await picker(page).selectOption('');
    await expect.poll(() => hashOf(page)).toBe('#/');
    await page.context().close();
  });

  it('opens a view in the first lane if the service fails to find the lane of its fleet', async () => {
    const { page } = await operate.open('#/lanes/1/keys');
    await page.getByRole('button', { name: 'Create a key' }).waitFor();
    await page.route('**/fleets/lanes?*', async (route) => await route.fulfill({ status: 500 }));
    await page.goto(`${operate.origin}/#/dead-letters?fleet_id=south`);
    await expect.poll(() => hashOf(page)).toBe('#/lanes/0/dead-letters?fleet_id=south');
    await page.context().close();
  });

  it('reads and settles the dead letters of the chosen lane', async () => {
    const { page } = await operate.open('#/dead-letters');
    await expect.poll(() => hashOf(page)).toBe('#/lanes/0/dead-letters');
    const letters = page.getByRole('table', { name: 'Dead letters', exact: true });
    await letters.getByText('milepost.trips').first().waitFor();
    await picker(page).selectOption('1');
    await letters.getByText('south.trips').first().waitFor();
    expect(await letters.innerText()).not.toContain('milepost.trips');
    await letters.getByRole('link').first().click();
    await page.getByRole('region', { name: 'The record as text' }).getByText('southern').first().waitFor();
    expect(hashOf(page)).toBe('#/lanes/1/dead-letters/1');
    await page.getByText('The request of this view').click();
    const request = await page.getByRole('region', { name: 'Requests as shell commands' }).innerText();
    expect(request).toContain(`'${operate.origin}/lanes/1/dead-letters/1'`);
    const inFirstLane = await ask('/lanes/0/dead-letters/1');
    await button(page, 'Discard').click();
    await dialog(page).getByLabel('Reason').fill('not ours');
    await dialog(page).getByRole('textbox').last().fill('1');
    await dialog(page).getByRole('button', { name: 'Discard', exact: true }).click();
    await page.getByText('1 dead letter discarded').waitFor();
    expect(await ask('/lanes/1/dead-letters/1')).toMatchObject({ resolution: 'discarded', note: 'not ours' });
    expect(await ask('/lanes/0/dead-letters/1')).toEqual(inFirstLane);
    // In lane 0, dead letter 1 is a different one, so the picker opens the list.
    await picker(page).selectOption('0');
    await expect.poll(() => hashOf(page)).toBe('#/lanes/0/dead-letters');
  });

  it('starts replays and audits in the chosen lane', async () => {
    const { page } = await operate.open('#/lanes/1/replays');
    await button(page, 'Start a replay').click();
    await dialog(page).getByLabel('Projection').selectOption('trips');
    await dialog(page)
      .getByLabel(/^Throttle/)
      .fill('off');
    const phase = async () => (await ask('/lanes/1/replays/1')).phase;
    const owner = openPartPool(newLane(operate.world.pipeline.url, 1));
    // Without the lock, the replay of two trips would end before it is cancelled.
    await whileLocked(
      owner,
      `SELECT pg_advisory_xact_lock(${lockOfSchema(BUILDING_LOCK)})`,
      async () => await expect.poll(phase, { timeout: 90_000 }).toMatch(/^cancel/),
      async () => {
        await dialog(page).getByRole('button', { name: 'Start', exact: true }).click();
        await page.getByRole('heading', { name: 'Replay 1' }).waitFor();
        expect(hashOf(page)).toBe('#/lanes/1/replays/1');
        const { page: overview } = await operate.open();
        const link = overview.getByRole('link', { name: 'Replay 1 of lane 1', exact: true });
        expect(await link.getAttribute('href')).toBe('#/lanes/1/replays/1');
        await overview.getByRole('progressbar', { name: 'Replay 1 of lane 1', exact: true }).waitFor();
        await overview.context().close();
        await button(page, 'Cancel').click();
        await dialog(page).getByRole('button', { name: 'Cancel the replay', exact: true }).click();
      },
    ).finally(async () => await owner.end());
    await expect.poll(phase, { timeout: 90_000 }).toBe('cancelled');
    expect((await ask('/lanes/0/replays')).replays).toEqual([]);
    await page.getByRole('link', { name: 'Audits', exact: true }).click();
    await button(page, 'Run an audit').click();
    await dialog(page).getByRole('button', { name: 'Run', exact: true }).click();
    const newest = async () => (await ask('/operations')).operations[0];
    await expect.poll(newest).toMatchObject({ action: 'audit.start', parameters: { lane: 1 } });
  });

  it('finds the lane of a fleet for its lineage and its erasure', async () => {
    const { page } = await operate.open('#/lanes/0/lineage');
    const form = page.getByRole('form', { name: "A driver's day" });
    const fleets = form.locator('datalist').first().locator('option');
    await expect.poll(async () => await fleets.count()).toBe(2);
    await form.getByLabel('Fleet').fill('south');
    await form.getByLabel('Driver id').fill('driver-south');
    await form.getByLabel('Day (UTC)').fill(operate.day);
    await form.getByRole('button', { name: 'Trace the day' }).click();
    await page.getByText('contains 2 trips.').waitFor();
    expect(hashOf(page)).toBe(`#/lanes/1/lineage/south/driver-south/${operate.day}`);
    await page
      .getByRole('link', { name: `${tripId('south', 'one').slice(0, 8)}…` })
      .first()
      .click();
    await page.getByText('The API returns the trip as stored at position').waitFor();
    await page.goto(`${operate.origin}/#/erasure?fleet=south&driver=driver-south`);
    await page.getByText(/would redact 2 trips and 2 stored events/).waitFor();
    await button(page, 'Erase the driver').click();
    await dialog(page)
      .getByLabel(/^Reason/)
      .fill('asked for by letter');
    await dialog(page).getByRole('textbox').last().fill('driver-south');
    await dialog(page).getByRole('button', { name: 'Erase permanently', exact: true }).click();
    await page.getByRole('heading', { name: 'The driver is erased' }).waitFor();
    expect((await ask('/operations')).operations[0]).toMatchObject({
      action: 'drivers.erase',
      parameters: { fleet_id: 'south', lane: 1 },
    });
  });

  it('has no picker on pages about all lanes', async () => {
    const { page } = await operate.open('#/lanes/1/keys');
    await page.getByRole('button', { name: 'Create a key' }).waitFor();
    await expect.poll(async () => await picker(page).count()).toBe(0);
  });

  it.each(VIEWS)('violates no accessibility rule in any look: %s', async (name, hash, ready) => {
    const { page } = await operate.open(hash, FIRST_LOOK);
    await page.getByText(ready).first().waitFor();
    await picker(page).waitFor();
    await expectValidView(page, join(screenshots, name));
    await page.context().close();
  });
});
