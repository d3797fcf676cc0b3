import { join } from 'node:path';
import { tripId } from '@milepost/domain/trip-id';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { violationsOf } from '../support/console/accessibility.ts';
import { describeWithBrowser } from '../support/console/browser.ts';
import { expectSoundView, inEachLook, LOOKS, type LookedAt, makeScreenshots } from '../support/console/looks.ts';
import { liveMark, type OperateWorld, openOperate } from '../support/console/operate.ts';

const VIEWS: LookedAt[] = [
  ['pipeline', '', /Projections/],
  ['replays', '#/replays', /All replays/],
  ['replay-waiting', '#/replays/1', /What changes for drivers/],
  ['replay-unknown', '#/replays/4711', /Not found/],
  ['dead-letters', '#/dead-letters', /Newest first/],
  ['dead-letters-none', '#/dead-letters?reason=revision_conflict', /None that is open and matches/],
  ['dead-letter', '#/dead-letters/2', /The record, /],
  ['audits', '#/audits', /1 fault|faults/],
  ['audit', '#/audits/AUDIT', /Findings/],
  ['lineage', '#/lineage', /Trace the day/],
  ['lineage-trip', `#/lineage/trip/${tripId('acme', 'seen')}`, /Answers show the log/],
  ['lineage-day', '#/lineage/acme/driver-1/DAY', /sums up 1 trip/],
  ['keys', '#/keys', /key_/],
  ['erasure', '#/erasure?fleet=acme&driver=driver-1', /What would go/],
  ['trail', '#/trail', /replay\.start/],
  ['unknown', '#/nothing', /no such page/],
];

describeWithBrowser('the views of Operate', () => {
  let operate: OperateWorld;
  let screenshots: string;
  let audit: string;

  beforeAll(async () => {
    screenshots = await makeScreenshots('operate');
    operate = await openOperate();
    await operate.spoilScores();
    audit = String(await operate.spoilTrips());
    const { ask } = operate;
    await ask('/keys', { method: 'POST', body: { fleet_id: 'acme' } });
    await ask('/replays', { method: 'POST', body: { projection: 'daily_rollups', throttle: 'off' } });
    const waiting = async () => expect((await ask('/replays/1')).json().phase).toBe('waiting');
    await vi.waitFor(waiting, { timeout: 120_000, interval: 500 });
  });
  afterAll(async () => await operate?.close());

  it.each(inEachLook(VIEWS))(
    '$name, $look: no rule of accessibility is broken',
    async ({ name, hash, ready, look, options }) => {
      const { page, complaints } = await operate.open(
        hash.replace('DAY', operate.day).replace('AUDIT', audit),
        options,
      );
      await page.getByText(ready).first().waitFor();
      await liveMark(page).waitFor();
      await expectSoundView(page, join(screenshots, `${name}-${look}.png`));
      // Chromium tells of each answer that is not found, and of health that is not well.
      expect(
        complaints.filter((complaint) => !/404 \(Not Found\)|503 \(Service Unavailable\)/.test(complaint)),
      ).toEqual([]);
      await page.context().close();
    },
  );

  it.each(LOOKS)('the question for the token, %s: no rule of accessibility is broken', async (look, options) => {
    const { page, complaints } = await operate.open('', { ...options, token: null });
    await page.getByLabel("Operators' token").waitFor();
    await page.screenshot({ path: join(screenshots, `sign-in-${look}.png`), fullPage: true });
    expect(complaints).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });

  it.each(LOOKS)('the question before a change, %s: no rule of accessibility is broken', async (look, options) => {
    const { page } = await operate.open('#/replays/1', options);
    await page.getByRole('button', { name: 'Promote' }).click();
    await page.getByRole('dialog').waitFor();
    await page.screenshot({ path: join(screenshots, `dialog-${look}.png`) });
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });
});
