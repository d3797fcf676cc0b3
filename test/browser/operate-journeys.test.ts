import { tripId } from '@milepost/domain/trip-id';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { suggestionsOf } from '../support/console/contents.ts';
import { liveMark, type OperateWorld, openOperate } from '../support/console/operate.ts';
import { TOKEN } from '../support/ops.ts';
import { deliver } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';

const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });
const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });

describeWithBrowser('Operate', () => {
  let operate: OperateWorld;
  const ask = async (path: string) => (await operate.ask(path)).json();
  const newestAction = async () => (await ask('/operations')).operations[0];

  beforeAll(async () => {
    operate = await openOperate();
  });
  afterAll(async () => await operate?.close());

  it('asks first for a name and the token, and stores the token in no URL or persistent storage', async () => {
    const { page } = await operate.open('', { token: null });
    await page.getByLabel("Operators' token").fill('wrong');
    await button(page, 'Enter').click();
    await page.getByRole('alert').getByText('Enter another one.').waitFor();
    await page.getByLabel("Operators' token").fill(TOKEN);
    await page.getByLabel('Your name').fill('Zoë');
    await button(page, 'Enter').click();
    await liveMark(page).waitFor();
    await page.getByText('You are acting as Zoë.').waitFor();
    expect(page.url()).not.toContain(TOKEN);
    expect(await page.evaluate<string>('JSON.stringify([{ ...localStorage }, document.cookie])')).not.toContain(TOKEN);
    await link(page, 'API keys').click();
    await button(page, 'Create a key').click();
    await dialog(page)
      .getByLabel(/^Fleet/)
      .fill('north');
    await button(dialog(page), 'Create').click();
    await heading(page, 'The key of north').waitFor();
    expect(await newestAction()).toMatchObject({
      action: 'keys.create',
      actor: 'Zoë',
      parameters: { fleet_id: 'north' },
    });
    await button(page, 'Forget the token').click();
    await page.getByLabel("Operators' token").waitFor();
    expect(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.toContain(TOKEN);
  });

  it('shows new stored events and dead letters without a reload', async () => {
    const { page } = await operate.open();
    const { page: deadLetters } = await operate.open('#/dead-letters');
    const rows = deadLetters.getByRole('table', { name: 'Dead letters', exact: true }).getByRole('row');
    const head = async () => Number((await page.locator('.head-position').innerText()).replaceAll(',', ''));
    await liveMark(page).waitFor();
    await liveMark(deadLetters).waitFor();
    await rows.first().waitFor();
    const rowsBefore = await rows.count();
    const before = await head();
    expect(before).toBe((await ask('/status')).head_position);
    await deliver(operate.world.pipeline.ingest, [tripProcessed({ source_trip_id: 'live' }), '{broken'], 'live');
    await expect.poll(head).toBe(before + 1);
    await expect.poll(async () => await rows.count()).toBe(rowsBefore + 1);
    await page.getByRole('table', { name: 'Sources' }).getByText('live', { exact: true }).waitFor();
    const projections = page.getByRole('table', { name: 'Projections' });
    await projections
      .getByRole('row', { name: /^trips / })
      .getByRole('cell', { name: '1', exact: true })
      .first()
      .waitFor();
  });

  it('says how old the data is while it is not live, and continues automatically when the server is back', async () => {
    const { page } = await operate.open();
    await liveMark(page).waitFor();
    const restart = await operate.kill();
    await page.getByText(/Not live: as of \d\d:\d\d:\d\d UTC/).waitFor();
    await page.getByText('The health of the service is currently unknown.').waitFor();
    // The last known data stays visible.
    await page.getByRole('table', { name: 'Projections' }).waitFor();
    await restart();
    await liveMark(page).waitFor();
    await expect
      .poll(async () => await page.getByText('The health of the service is currently unknown').count())
      .toBe(0);
  });

  it('creates a key that is shown once, and revokes it after its id is typed', async () => {
    const { page } = await operate.open('#/keys');
    await button(page, 'Create a key').click();
    await dialog(page)
      .getByLabel(/^Fleet/)
      .fill('not a fleet!');
    expect(await button(dialog(page), 'Create').isDisabled()).toBe(true);
    await dialog(page)
      .getByLabel(/^Fleet/)
      .fill('south');
    await dialog(page).getByLabel(/^Name/).fill('billing export');
    await dialog(page)
      .getByLabel(/^Expires/)
      .fill('2999-01-31');
    await dialog(page)
      .getByLabel(/^Rate limit/)
      .fill('600');
    await button(dialog(page), 'Create').click();
    await heading(page, 'The key of south').waitFor();
    expect(await page.getByRole('region', { name: 'The new key' }).innerText()).toMatch(/mp_[\w-]{43}/);
    const { keys } = await ask('/keys');
    const created = keys.find(({ fleet_id }: { fleet_id: string }) => fleet_id === 'south');
    expect(created).toMatchObject({
      name: 'billing export',
      expires_at: '2999-01-31T00:00:00.000Z',
      rate_limit_per_minute: 600,
      state: 'valid',
    });
    const { id } = created;
    await button(page, 'Done').click();
    await expect.poll(async () => await page.getByText(/mp_[\w-]{43}/).count()).toBe(0);
    await page
      .getByRole('row', { name: new RegExp(id) })
      .getByRole('button', { name: 'Revoke' })
      .click();
    expect(await button(dialog(page), 'Revoke').isDisabled()).toBe(true);
    await dialog(page).getByRole('textbox').fill(id);
    await button(dialog(page), 'Revoke').click();
    await page.getByText(`${id} is revoked.`).waitFor();
    const after = (await ask('/keys')).keys.find((each: { id: string }) => each.id === id);
    expect(after.revoked_at).not.toBeNull();
  });

  it('marks the fault in the bytes of a dead letter, retries it, and discards it after its id is typed', async () => {
    const { page } = await operate.open('#/dead-letters');
    const faults = page.getByRole('table', { name: 'Dead letters by fault' });
    await faults
      .getByRole('row', { name: /distance_miles/ })
      .getByRole('link')
      .click();
    await expect
      .poll(async () => await page.getByRole('table', { name: 'Dead letters', exact: true }).getByRole('row').count())
      .toBe(3);
    await page.getByRole('table', { name: 'Dead letters', exact: true }).getByRole('link').last().click();
    await heading(page, /^Dead letter \d+$/).waitFor();
    expect(await page.getByRole('region', { name: 'The record as text' }).locator('mark').innerText()).toBe(
      '"distance_miles":"far – sehr weit"',
    );
    await button(page, 'Hexadecimal').click();
    const marks = await page.getByRole('region', { name: 'The record as bytes' }).locator('mark').allInnerTexts();
    expect(Buffer.from(marks.join(''), 'hex').toString()).toBe('"distance_miles":"far – sehr weit"');
    const id = Number(page.url().split('/').at(-1));
    await button(page, 'Retry').click();
    await button(dialog(page), 'Retry').click();
    await page.getByText(/1 dead letter retried, .* 1 refused again/).waitFor();
    await button(page, 'Discard').click();
    await dialog(page).getByLabel('Reason').fill('not ours');
    expect(await button(dialog(page), 'Discard').isDisabled()).toBe(true);
    await dialog(page).getByRole('textbox').last().fill(String(id));
    await button(dialog(page), 'Discard').click();
    await page.getByText('1 dead letter discarded').waitFor();
    expect(await ask(`/dead-letters/${id}`)).toMatchObject({ resolution: 'discarded', note: 'not ours' });
  });

  it('settles many dead letters together, and only those that match', async () => {
    const { page } = await operate.open('#/dead-letters?field=%2Fdriver_id');
    await button(page, 'Discard all').click();
    await dialog(page).getByLabel('Reason').fill('without a driver');
    expect(await button(dialog(page), 'Discard').isDisabled()).toBe(true);
    await dialog(page).getByRole('textbox').last().fill('1');
    await button(dialog(page), 'Discard').click();
    await expect
      .poll(async () => await page.getByRole('status').allInnerTexts())
      .toContain('1 dead letter discarded, 0 not open.');
    const { dead_letters: settled } = await ask('/dead-letters?all=true&field=/driver_id');
    expect(settled).toMatchObject([{ resolution: 'discarded', note: 'without a driver' }]);
    const open = (await ask('/dead-letters')).dead_letters.length;
    expect(open).toBeGreaterThan(1);
    await page.goto(`${operate.origin}/#/dead-letters`);
    const boxes = page.getByRole('checkbox', { name: /^Choose dead letter/ });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await button(page, 'Retry').click();
    await button(dialog(page), 'Retry').click();
    await page.getByText(/2 dead letters retried/).waitFor();
    expect((await newestAction()).parameters.ids).toHaveLength(2);
    expect((await ask('/dead-letters')).dead_letters).toHaveLength(open);
  });

  it('rebuilds a read table, shows the differences, promotes it, rolls back and drops', async () => {
    await operate.spoilScores();
    const { page } = await operate.open('#/replays');
    await button(page, 'Start a replay').click();
    await dialog(page).getByLabel('Projection').selectOption('daily_rollups');
    await dialog(page)
      .getByLabel(/^Throttle/)
      .fill('fast');
    expect(await button(dialog(page), 'Start').isDisabled()).toBe(true);
    await dialog(page)
      .getByLabel(/^Throttle/)
      .fill('off');
    await button(dialog(page), 'Start').click();
    await heading(page, 'Replay 1').waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'waiting' })
      .and(page.locator('[aria-current]'))
      .waitFor({ timeout: 90_000 });
    await heading(page, 'Differences of daily_rollups').waitFor();
    await page.getByRole('table', { name: /^Drivers whose score changes most/ }).waitFor();
    const distribution = page.getByRole('table', { name: /^Changed scores by the size/ });
    const bars = await distribution.locator('tbody tr').evaluateAll((rows) =>
      rows.map((row) => ({
        count: Number(row.querySelector('.number')?.textContent?.replaceAll(/\D/g, '')),
        width: row.querySelector('rect')?.getBoundingClientRect().width ?? 0,
        whole: row.querySelector('svg')?.getBoundingClientRect().width ?? 0,
      })),
    );
    const most = Math.max(...bars.map(({ count }) => count));
    expect(most).toBeGreaterThan(0);
    for (const { count, width, whole } of bars) expect(width / whole).toBeCloseTo(count / most, 1);
    await button(page, 'Promote').click();
    // Nothing explains the differences, so the operator must accept them.
    expect(await button(dialog(page), 'Promote').isDisabled()).toBe(true);
    await dialog(page).getByRole('checkbox').check();
    await button(dialog(page), 'Promote').click();
    await page.getByText('promoted', { exact: true }).first().waitFor({ timeout: 90_000 });
    await button(page, 'Roll back').waitFor();
    expect(await ask('/replays/1')).toMatchObject({ phase: 'promoted', live: true, can_be_rolled_back: true });
    await button(page, 'Roll back').click();
    await button(dialog(page), 'Roll back').click();
    await heading(page, 'Replay 2').waitFor();
    await expect.poll(async () => (await ask('/replays/2')).phase, { timeout: 90_000 }).toBe('promoted');
    await page.goto(`${operate.origin}/#/replays/1`);
    await button(page, 'Drop unused generations').click();
    await button(dialog(page), 'Drop').click();
    await expect.poll(async () => (await ask('/replays/1')).phase, { timeout: 90_000 }).toBe('dropped');
  });

  it('promotes a running replay in advance, without accepting differences that nobody has seen', async () => {
    const { page } = await operate.open('#/replays');
    await button(page, 'Start a replay').click();
    await dialog(page).getByLabel('Projection').selectOption('trips');
    await dialog(page)
      .getByLabel(/^Throttle/)
      .fill('1');
    await button(dialog(page), 'Start').click();
    await button(page, 'Promote').click();
    await button(dialog(page), 'Promote').click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await newestAction()).toMatchObject({ action: 'replay.promote', parameters: { accept_differences: false } });
    await button(page, 'Cancel').click();
    await button(dialog(page), 'Cancel the replay').click();
    await page.getByText('cancelled', { exact: true }).first().waitFor();
  });

  it('throttles, pauses, resumes and cancels a replay', async () => {
    const { page } = await operate.open('#/replays');
    await button(page, 'Start a replay').click();
    await dialog(page).getByLabel('Projection').selectOption('trips');
    await dialog(page)
      .getByLabel(/^Throttle/)
      .fill('1');
    await button(dialog(page), 'Start').click();
    await button(page, 'Pause').click();
    await button(dialog(page), 'Pause').click();
    await button(page, 'Resume').waitFor();
    const { replays } = await ask('/replays');
    const id = replays[0].id;
    expect(replays[0]).toMatchObject({ projection: 'trips', halted: 'paused', throttle: 1 });
    await page.getByRole('progressbar', { name: `Replay ${id}` }).waitFor();
    await button(page, 'Throttle: 1').click();
    await dialog(page)
      .getByLabel(/^Throttle/)
      .fill('2');
    await button(dialog(page), 'Set the throttle').click();
    await button(page, 'Throttle: 2').waitFor();
    expect(await ask(`/replays/${id}`)).toMatchObject({ throttle: 2 });
    await button(page, 'Resume').click();
    await button(dialog(page), 'Resume').click();
    await button(page, 'Pause').waitFor();
    await button(page, 'Cancel').click();
    await button(dialog(page), 'Cancel the replay').click();
    await expect.poll(async () => (await ask(`/replays/${id}`)).phase, { timeout: 90_000 }).toBe('cancelled');
    await page.getByText('cancelled', { exact: true }).first().waitFor();
  });

  it('runs an audit, whose faults link to their stored events', async () => {
    await operate.world.pipeline.owner.query(`DELETE FROM trips WHERE trip_id = '${tripId('acme', 'seen')}'`);
    const { page } = await operate.open('#/audits');
    await button(page, 'Run an audit').click();
    await button(dialog(page), 'Run').click();
    await page.getByText('The audit has been requested').waitFor();
    await page.getByText('The audit has been requested').waitFor({ state: 'detached', timeout: 90_000 });
    await page.getByRole('table', { name: 'Audits' }).getByRole('link').first().click();
    const finding = page.getByRole('listitem').filter({ hasText: 'missing row' }).first();
    await finding.getByText(/^\d+ stored events?$/).click();
    await finding
      .getByRole('link', { name: /^trip / })
      .first()
      .click();
    await heading(page, 'Lineage of a trip').waitFor();
    await page.getByRole('table', { name: 'Stored events' }).getByText('superseded by').waitFor();
    await page.getByRole('table', { name: 'Duplicates' }).waitFor();
  });

  it('shows topic, partition and offset for a driver and a day', async () => {
    const { page } = await operate.open('#/lineage');
    const form = page.getByRole('form', { name: "A driver's day" });
    const offered = async (index: number) => await suggestionsOf(form, index);
    await expect.poll(async () => await offered(0)).toEqual(['acme']);
    await form.getByLabel('Fleet').fill('acme');
    await form.getByLabel('Driver id').fill('to');
    await expect.poll(async () => await offered(1)).toEqual(['to erase/1']);
    await form.getByLabel('Driver id').fill('to erase/1');
    await form.getByLabel('Day (UTC)').fill(operate.day);
    await button(form, 'Trace the day').click();
    await page.getByText('contains 1 trip.').waitFor();
    await page
      .getByText(/milepost\.trips\/0 at \d/)
      .first()
      .waitFor();
  });

  it('erases a driver after a preview and the typed id', async () => {
    const { page } = await operate.open('#/erasure');
    await page.getByLabel('Fleet').fill('acme');
    await page.getByLabel('Driver id').fill('to erase/1');
    await button(page, 'Preview').click();
    await page.getByText(/would redact 1 trip and 1 stored event/).waitFor();
    await button(page, 'Erase the driver').click();
    await dialog(page)
      .getByLabel(/^Reason/)
      .fill('asked for by to erase/1');
    expect(await button(dialog(page), 'Erase permanently').isDisabled()).toBe(true);
    await dialog(page).getByRole('textbox').last().fill('to erase/1');
    await button(dialog(page), 'Erase permanently').click();
    await dialog(page).getByRole('listitem').getByText('It must not name the driver').waitFor();
    await dialog(page)
      .getByLabel(/^Reason/)
      .fill('asked for by letter');
    await button(dialog(page), 'Erase permanently').click();
    await heading(page, 'The driver is erased').waitFor();
    const gone = await operate.ask(`/drivers/acme/${encodeURIComponent('to erase/1')}/trace?date=${operate.day}`);
    expect(gone.statusCode).toBe(404);
    await link(page, 'Audit trail').click();
    const row = page.getByRole('row').filter({ hasText: 'drivers.erase' }).first();
    expect(await row.innerText()).toContain('asked for by letter');
    expect(await page.getByRole('table', { name: 'Audit trail' }).innerText()).not.toContain('to erase/1');
  });
});
