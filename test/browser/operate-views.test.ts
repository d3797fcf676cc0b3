import { join } from 'node:path';
import { tripId } from '@milepost/domain/trip-id';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { expectValidView, FIRST_LOOK, makeScreenshots, type TestedView } from '../support/console/looks.ts';
import { liveMark, type OperateWorld, openOperate } from '../support/console/operate.ts';
import { deliver } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';

const VIEWS: TestedView[] = [
  ['pipeline', '', /Projections/],
  ['replays', '#/replays', /All replays/],
  ['replay-waiting', '#/replays/1', /Changes for drivers/],
  ['replay-unknown', '#/replays/4711', /Not found/],
  ['dead-letters', '#/dead-letters', /Newest first/],
  ['dead-letters-none', '#/dead-letters?reason=revision_conflict', /No open dead letter matches/],
  ['dead-letter', '#/dead-letters/2', /The record, /],
  ['audits', '#/audits', /1 fault|faults/],
  ['audit', '#/audits/AUDIT', /Findings/],
  ['lineage', '#/lineage', /Trace the day/],
  ['lineage-trip', `#/lineage/trip/${tripId('acme', 'seen')}`, /The API reflects the event log/],
  ['lineage-day', '#/lineage/acme/driver-1/DAY', /contains 1 trip/],
  ['keys', '#/keys', /key_/],
  ['erasure', '#/erasure?fleet=acme&driver=driver-1', /would redact/],
  ['trail', '#/trail', /replay\.start/],
  ['unknown', '#/nothing', /no such page/],
];

describeWithBrowser("Operate's views", () => {
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

  it.each(VIEWS)('violate no accessibility rule in any look: %s', async (name, hash, ready) => {
    const address = hash.replace('DAY', operate.day).replace('AUDIT', audit);
    const { page, complaints } = await operate.open(address, FIRST_LOOK);
    await page.getByText(ready).first().waitFor();
    await liveMark(page).waitFor();
    await expectValidView(page, join(screenshots, name));
    // Chromium reports each response with status 404, and each unhealthy status.
    expect(complaints.filter((complaint) => !/404 \(Not Found\)|503 \(Service Unavailable\)/.test(complaint))).toEqual(
      [],
    );
    await page.context().close();
  });

  it('fit a window of 1,280 pixels, with the header on one line and all columns of dead letters', async () => {
    const topic = `depot-${'x'.repeat(80)}.trips`;
    await deliver(operate.world.pipeline.ingest, [{ ...tripProcessed(), distance_miles: 'x'.repeat(200) }], topic);
    const { page } = await operate.open('#/dead-letters?all=true', { viewport: { width: 1280, height: 900 } });
    await liveMark(page).waitFor();
    const table = page.getByRole('region', { name: 'Dead letters', exact: true });
    await table.getByText(topic).waitFor();
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    const links = await page.getByRole('navigation', { name: 'Views' }).getByRole('link').all();
    const forget = page.getByRole('button', { name: 'Forget the token' });
    const boxes = await Promise.all([...links, forget].map(async (part) => await part.boundingBox()));
    const middles = boxes.map((box) => Math.round((box?.y ?? NaN) + (box?.height ?? NaN) / 2));
    expect(Math.max(...middles) - Math.min(...middles), middles.join()).toBeLessThanOrEqual(2);
    await page.context().close();
  });

  it('break no projection name and no key id across lines on a phone', async () => {
    const { page } = await operate.open('', { viewport: { width: 375, height: 740 } });
    for (const [hash, name] of [
      ['#/', 'weekly_rollups'],
      ['#/keys', /^key_/],
    ] as const) {
      await page.goto(`${operate.origin}/${hash}`);
      const header = page.getByRole('rowheader', { name }).first();
      await header.waitFor();
      const lines = await header.evaluate((element) => {
        const text = element.ownerDocument.createRange();
        text.selectNodeContents(element);
        return new Set([...text.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
      });
      expect(lines, hash).toBe(1);
    }
    await page.context().close();
  });

  it('violate no accessibility rule in any look of the prompt for the token', async () => {
    const { page, complaints } = await operate.open('', { ...FIRST_LOOK, token: null });
    await page.getByLabel("Operators' token").waitFor();
    await expectValidView(page, join(screenshots, 'sign-in'));
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('violate no accessibility rule in any look of the confirmation of a change', async () => {
    const { page } = await operate.open('#/replays/1', FIRST_LOOK);
    await page.getByRole('button', { name: 'Promote' }).click();
    await page.getByRole('dialog').waitFor();
    await expectValidView(page, join(screenshots, 'dialog'));
    await page.context().close();
  });
});
