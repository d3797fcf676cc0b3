import { join } from 'node:path';
import { runAudit } from '@milepost/audit';
import { tripId } from '@milepost/domain/trip-id';
import { PROJECTIONS } from '@milepost/projections';
import { expect, vi } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { expectValidView, FIRST_LOOK, picturesOf, type TestedView } from '../support/console/looks.ts';
import { it, liveMark } from '../support/console/operate.ts';
import { deliver } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';

const VIEWS: TestedView[] = [
  ['pipeline', '', /Projections/],
  ['replays', '#/replays', /All replays/],
  ['replay-waiting', '#/replays/REPLAY', /Changes for drivers/],
  ['dead-letters', '#/dead-letters', /Newest first/],
  ['dead-letter', '#/dead-letters/2', /The record, /],
  ['audits', '#/audits', /1 fault|faults/],
  ['audit', '#/audits/AUDIT', /Findings/],
  ['lineage', '#/lineage', /Trace the day/],
  ['lineage-trip', `#/lineage/trip/${tripId('acme', 'other')}`, /The API reflects the event log/],
  ['lineage-day', '#/lineage/acme/driver-1/DAY', /contains 1 trip/],
  ['keys', '#/keys', /key_/],
  ['erasure', '#/erasure?fleet=acme&driver=driver-1', /would redact/],
  ['trail', '#/trail', /replay\.start/],
];

describeWithBrowser("Operate's views", () => {
  const screenshots = picturesOf('operate');
  let [audit, replay] = [0, 0];

  it.beforeAll(async ({ operate }) => {
    const { ask, world } = operate;
    // The replay below must find scores that differ from the log.
    await world.pipeline.owner.query(
      `UPDATE daily_rollups SET summary = regexp_replace(summary, '"fm_score":[0-9.]+', '"fm_score":' || (50 + length(driver_id) % 40))
       WHERE date > CURRENT_DATE - 20`,
    );
    await world.pipeline.owner.query(`DELETE FROM trips WHERE trip_id = '${tripId('acme', 'seen')}'`);
    audit = (await runAudit(world.pipeline.projector, PROJECTIONS, { projection: 'trips' })).id;
    await ask('/keys', { method: 'POST', body: { fleet_id: 'acme' } });
    const body = { projection: 'daily_rollups', throttle: 'off' };
    replay = (await ask('/replays', { method: 'POST', body })).json().id;
    const waiting = async () => expect((await ask(`/replays/${replay}`)).json().phase).toBe('waiting');
    await vi.waitFor(waiting, { timeout: 120_000, interval: 500 });
  });

  it.for(VIEWS)('violate no accessibility rules in any look: %s', async ([name, hash, ready], { operate }) => {
    const address = hash.replace('DAY', operate.day).replace('AUDIT', `${audit}`).replace('REPLAY', `${replay}`);
    const tab = await operate.open(address, FIRST_LOOK);
    await tab.page.getByText(ready).first().waitFor();
    await liveMark(tab.page).waitFor();
    await expectValidView(tab, join(screenshots, name));
  });

  it('violate no accessibility rules in any look of the token prompt', async ({ operate }) => {
    const tab = await operate.open('', { ...FIRST_LOOK, token: null });
    await tab.page.getByLabel("Operators' token").waitFor();
    await expectValidView(tab, join(screenshots, 'sign-in'));
  });

  it('violate no accessibility rules in any look when a change is to be confirmed', async ({ operate }) => {
    const tab = await operate.open(`#/replays/${replay}`, FIRST_LOOK);
    await tab.page.getByRole('button', { name: 'Promote' }).click();
    await tab.page.getByRole('dialog').waitFor();
    await expectValidView(tab, join(screenshots, 'dialog'));
  });

  it('fit a window of 1,280 pixels, with the header on one line and all columns of dead letters', async ({
    operate,
  }) => {
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
  });

  it('do not break projection names and key ids across lines on a phone', async ({ operate }) => {
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
  });
});
