import { join } from 'node:path';
import { lockSchema } from '@milepost/postgres/schema-lock';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { button, dialog, expectTexts, hashOf, hold, readLinks } from '../support/console/contents.ts';
import { expectValidView, FIRST_LOOK, picturesOf } from '../support/console/looks.ts';
import { it, liveMark, openPerSuite } from '../support/console/operate.ts';
import { whileLocked } from '../support/locks.ts';
import { fillLane } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';

const picker = (page: Page) => page.getByRole('combobox', { name: 'Lane', exact: true });

/**
 * An operator must see and change the lane named on the page, because the same id means something else in each lane.
 */
describeWithBrowser('Operate with two lanes', () => {
  const operate = openPerSuite({}, 2);

  it.beforeAll(async () => {
    const { pipeline } = operate.world;
    await pipeline.directory.query(`INSERT INTO fleet (fleet_id, lane) VALUES ('south', 1)`);
    const start = Date.parse(`${operate.day}T08:00:00Z`);
    const trip = (id: string) =>
      tripProcessed({ fleet_id: 'south', driver_id: 'driver-south', source_trip_id: id, trip_start_time: start });
    const records = [trip('one'), trip('two'), { ...trip('three'), distance_miles: 'southern' }];
    await fillLane(pipeline.url, 1, records, 'south.trips');
  });

  it("shows the sums over all lanes or the chosen lane's figures, and keeps the choice on reload", async () => {
    const { page } = await operate.open();
    await liveMark(page).waitFor();
    const head = async () => Number((await page.locator('.head-position').innerText()).replaceAll(',', ''));
    const { head_position, lanes } = await operate.json('/status');
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
    await page.getByRole('heading', { name: 'Audits', exact: true }).waitFor();
    expect(hashOf(page)).toBe('#/lanes/1/audits');
    await picker(page).selectOption('0');
    await expect.poll(() => hashOf(page)).toBe('#/lanes/0/audits');
  });

  it("does not compute a rate from two lanes' figures", async () => {
    const { page } = await operate.open('#/lanes/1/');
    const rate = page.locator('.figure').filter({ hasText: 'Events stored' }).locator('.large');
    await expect.poll(async () => await rate.innerText()).toMatch(/^0 /);
    await picker(page).selectOption('0');
    const head = async () => Number((await page.locator('.head-position').innerText()).replaceAll(',', ''));
    await expect.poll(head).toBe((await operate.json('/lanes/0/status')).head_position);
    expect(await rate.innerText()).toMatch(/^[0–] /);
  });

  it("shows nothing from another lane while the chosen lane's data is loading", async () => {
    const { page } = await operate.open('#/lanes/0/dead-letters');
    const main = page.getByRole('main');
    const words = async () => await main.innerText();
    await expect.poll(words).toContain('milepost.trips');
    for (const [lane, own, other] of [
      ['1', 'south.trips', 'milepost.trips'],
      ['0', 'milepost.trips', 'south.trips'],
    ] as const) {
      const release = await hold(page, `**/lanes/${lane}/**`);
      await picker(page).selectOption(lane);
      await expect.poll(words).toContain('Loading');
      expect(hashOf(page)).toBe(`#/lanes/${lane}/dead-letters`);
      expect(await words()).not.toContain(other);
      release();
      await expect.poll(words).toContain(own);
      expect(await words()).not.toContain(other);
      await page.unrouteAll();
    }
  });

  it("shows no other lane's status, and follows one lane at a time", async () => {
    const { page } = await operate.open('#/lanes/0/');
    const ended: string[] = [];
    page.on('requestfailed', (request) => ended.push(new URL(request.url()).pathname));
    await liveMark(page).waitFor();
    await page.locator('.headline').waitFor();
    await expect.poll(async () => await page.locator('.health').innerText()).toMatch(/^Ready/);
    const release = await hold(page, '**/lanes/1/**');
    await picker(page).selectOption('1');
    const connecting = page.getByRole('banner').getByText('Connecting …', { exact: true });
    await expect.poll(async () => await connecting.count()).toBe(1);
    expect(await page.locator('.health').innerText()).toBe('The health of the service is currently unknown.');
    expect(await page.getByText('Loading the status …').count()).toBe(1);
    expect(await page.locator('.headline').count()).toBe(0);
    expect(await page.getByText('Not live').count()).toBe(0);
    await expect.poll(() => ended).toContain('/lanes/0/events');
    release();
    await expectTexts(page.locator('.headline'), ['The log ends at position 2. There is 1 open dead letter.']);
  });

  it('ignores the response of a lane that the operator has left', async () => {
    const { page } = await operate.open('#/lanes/1/audits');
    await page.getByRole('heading', { name: 'Audits', exact: true }).waitFor();
    const release = await hold(page, '**/lanes/0/**');
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
  });

  it("opens a view in its fleet's lane, or else in the first lane, and a list when the lane changes", async () => {
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
    await expect
      .poll(async () => (await readLinks(places)).slice(0, 3))
      .toEqual([
        ['Pipeline', '#/lanes/0/'],
        ['Replays', '#/lanes/0/replays'],
        ['Dead letters', '#/lanes/0/dead-letters'],
      ]);
    await page.getByRole('link', { name: 'Pipeline', exact: true }).click();
    await expect.poll(options).toEqual(['all lanes', '0', '1']);
    await picker(page).selectOption('');
    await expect.poll(() => hashOf(page)).toBe('#/');
    await page.goto(`${operate.origin}/#/lanes/1/keys`);
    await page.getByRole('button', { name: 'Create a key' }).waitFor();
    await expect.poll(async () => await picker(page).count()).toBe(0);
    // The first lane is also opened if the service cannot find a fleet's lane.
    await page.route('**/fleets/lanes?*', async (route) => await route.fulfill({ status: 500 }));
    await page.goto(`${operate.origin}/#/dead-letters?fleet_id=south`);
    await expect.poll(() => hashOf(page)).toBe('#/lanes/0/dead-letters?fleet_id=south');
  });

  it('reads and settles the dead letters of the chosen lane', async () => {
    const { page } = await operate.open('#/dead-letters');
    await expect.poll(() => hashOf(page)).toBe('#/lanes/0/dead-letters');
    const letters = page.getByRole('table', { name: 'Dead letters', exact: true });
    await letters.getByText('milepost.trips').first().waitFor();
    await picker(page).selectOption('1');
    await letters.getByText('south.trips').first().waitFor();
    await letters.getByRole('link').first().click();
    await page.getByRole('region', { name: 'The record as text' }).getByText('southern').first().waitFor();
    expect(hashOf(page)).toBe('#/lanes/1/dead-letters/1');
    const inFirstLane = await operate.json('/lanes/0/dead-letters/1');
    await button(page, 'Discard').click();
    await dialog(page).getByLabel('Reason').fill('not ours');
    await dialog(page).getByRole('textbox').last().fill('1');
    await dialog(page).getByRole('button', { name: 'Discard', exact: true }).click();
    await page.getByText('1 dead letter discarded').waitFor();
    expect(await operate.json('/lanes/1/dead-letters/1')).toMatchObject({ resolution: 'discarded', note: 'not ours' });
    expect(await operate.json('/lanes/0/dead-letters/1')).toEqual(inFirstLane);
    // In lane 0, dead letter 1 is a different dead letter, so the picker opens the list.
    await picker(page).selectOption('0');
    await expect.poll(() => hashOf(page)).toBe('#/lanes/0/dead-letters');
  });

  it('starts replays in the chosen lane', async () => {
    const { page } = await operate.open('#/lanes/1/replays');
    await button(page, 'Start a replay').click();
    await dialog(page).getByLabel('Projection').selectOption('trips');
    await dialog(page)
      .getByLabel(/^Throttle/)
      .fill('off');
    const phase = async () => (await operate.json('/lanes/1/replays/1')).phase;
    const { pipeline } = operate.world;
    // Without the lock, the replay of two trips would end before it could be cancelled.
    await whileLocked(
      pipeline.open(pipeline.lane(1)),
      lockSchema('building'),
      async () => await expect.poll(phase).toMatch(/^cancel/),
      async () => {
        await dialog(page).getByRole('button', { name: 'Start', exact: true }).click();
        await page.getByRole('heading', { name: 'Replay 1' }).waitFor();
        expect(hashOf(page)).toBe('#/lanes/1/replays/1');
        const { page: overview } = await operate.open();
        const link = overview.getByRole('link', { name: 'Replay 1 in lane 1', exact: true });
        expect(await link.getAttribute('href')).toBe('#/lanes/1/replays/1');
        await overview.getByRole('progressbar', { name: 'Replay 1 in lane 1', exact: true }).waitFor();
        await overview.context().close();
        await button(page, 'Cancel').click();
        await dialog(page).getByRole('button', { name: 'Cancel the replay', exact: true }).click();
      },
    );
    await expect.poll(phase).toBe('cancelled');
    expect((await operate.json('/lanes/0/replays')).replays).toEqual([]);
  });

  it('violates no accessibility rules in any look', async () => {
    const tab = await operate.open('', FIRST_LOOK);
    await tab.page.getByText(/The sum of the last positions/).waitFor();
    await picker(tab.page).waitFor();
    await expectValidView(tab, join(picturesOf('operate'), 'lanes-overview'));
  });
});
