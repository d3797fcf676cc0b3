import { recordOperation } from '@milepost/operations/audit-trail';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { button, dialog, expectTexts, hrefsOf, readTable } from '../support/console/contents.ts';
import { it, liveMark } from '../support/console/operate.ts';
import { shownInteger, shownTime } from '../support/console/shown.ts';
import { type auditTrail, TOKEN } from '../support/ops.ts';
import { deliverAndProject, projectAll } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';

const ENTRIES = 105;
const DRIVER = 'er ase/2';

const field = (page: Page, label: RegExp) => dialog(page).getByLabel(label);
const newKey = (page: Page) => page.getByRole('region', { name: 'The new key' });

/** Returns the options that a form suggests for one of its fields. `index` counts only fields with suggestions. */
async function suggestionsOf(form: Locator, index: number): Promise<(string | null)[]> {
  const lists = form.locator('datalist');
  return await lists.nth(index).evaluate((list) => Array.from(list.querySelectorAll('option'), ({ value }) => value));
}

describeWithBrowser("Operate's keys, erasures and audit trail", () => {
  it('lists each key with its state, times and limit, with fifty keys on a page', async ({ operate }) => {
    const { directory } = operate.world.pipeline;
    await directory.query('DELETE FROM api_key');
    const { page } = await operate.open('#/keys');
    await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
    const createKey = async (body: object): Promise<string> =>
      (await operate.ask('/keys', { method: 'POST', body })).json().id;
    const full = { fleet_id: 'acme', name: 'billing', expires: '2999-01-31', rate_limit_per_minute: 1_200 };
    const ids = [await createKey(full), await createKey({ fleet_id: 'south' }), await createKey({ fleet_id: 'west' })];
    await operate.ask(`/keys/${ids[1]}`, { method: 'DELETE' });
    await directory.query(`UPDATE api_key SET expires_at = '2025-01-15T08:00:05Z' WHERE fleet_id = 'west'`);
    await directory.query(`UPDATE api_key SET last_used_at = now() - interval '1 hour' WHERE fleet_id = 'acme'`);
    await page.reload();
    await page.getByRole('table', { name: 'API keys' }).waitFor();
    const { keys } = await operate.json('/keys');
    const [one, revoked, expired] = ids.map((id) => keys.find((key: { id: string }) => key.id === id));
    const [titles, ...rows] = await readTable(page, 'API keys');
    expect(titles?.join()).toBe('Key,Fleet,Name,State,Created,Last used,Expires,Requests per minute,Action');
    const [used, end, past] = [shownTime(one.last_used_at), '31 Jan 2999, 00:00:00', '15 Jan 2025, 08:00:05'];
    const since = ({ created_at }: { created_at: string }) => shownTime(created_at);
    expect(rows.toSorted(([, a = ''], [, b = '']) => a.localeCompare(b))).toEqual([
      [one.id, 'acme', 'billing', 'valid', since(one), used, end, '1,200', 'Revoke'],
      [revoked.id, 'south', '–', `revoked ${shownTime(revoked.revoked_at)}`, since(revoked), '–', '–', '–', ''],
      [expired.id, 'west', '–', 'expired', since(expired), '–', past, '–', 'Revoke'],
    ]);
    await directory.query(
      `INSERT INTO api_key (api_key_id, fleet_id, key_hash)
       SELECT 'key_' || number, 'many', sha256(number::text::bytea) FROM generate_series(1, 48) AS number`,
    );
    await page.reload();
    await page.getByText('Page 1 of 2').waitFor();
    await expect.poll(async () => await page.getByRole('rowheader').count()).toBe(50);
  });

  it('creates a key from the completed fields, copies each key, and revokes a key after its id is typed', async ({
    operate,
  }) => {
    await operate.world.pipeline.directory.query('DELETE FROM api_key');
    const { page } = await operate.open('#/keys');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const create = button(dialog(page), 'Create');
    const fleet = field(page, /^Fleet/);
    await button(page, 'Create a key').click();
    for (const [text, isAllowed] of [
      ['', false],
      ['x'.repeat(65), false],
      ['x y', false],
      [' plain_-1 ', true],
    ] as const) {
      await fleet.fill(text);
      expect(await create.isEnabled(), text).toBe(isAllowed);
    }
    await field(page, /^Name/).fill('   ');
    await create.click();
    const text = await newKey(page).locator('code').innerText();
    expect(text).toMatch(/^mp_[\w-]{43}$/);
    expect(await newKey(page).getByRole('heading').innerText()).toBe('The key for plain_-1');
    expect(await newKey(page).innerText()).toContain('Warning: No record of fleet plain_-1 has been stored yet');
    await button(page, 'Copy').click();
    await button(page, 'Copied').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(text);
    expect((await operate.json('/operations')).operations[0].parameters).toEqual(
      expect.objectContaining({ fleet_id: 'plain_-1' }),
    );
    const [created] = (await operate.json('/keys')).keys;
    expect(created).toMatchObject({ name: null, expires_at: null, rate_limit_per_minute: null, state: 'valid' });

    const row = page.getByRole('row', { name: created.id });
    await row.getByRole('button', { name: 'Revoke' }).click();
    expect(await button(dialog(page), 'Revoke').isDisabled()).toBe(true);
    await dialog(page).getByRole('textbox').fill(created.id);
    await button(dialog(page), 'Revoke').click();
    const outcome = page.locator('p.outcome');
    await expect.poll(async () => await outcome.innerText()).toBe(`${created.id} has been revoked.`);
    await expect.poll(async () => await row.getByRole('button').count()).toBe(0);

    await button(page, 'Create a key').click();
    await fleet.fill('second');
    await field(page, /^Name/).fill('billing export');
    await field(page, /^Expires/).fill('2999-01-31');
    await field(page, /^Rate limit/).fill('600');
    await create.click();
    await page.getByRole('heading', { name: 'The key for second' }).waitFor();
    expect(await outcome.innerText()).toBe('');
    const second = (await operate.json('/keys')).keys.find((key: { fleet_id: string }) => key.fleet_id === 'second');
    expect(second).toMatchObject({
      name: 'billing export',
      expires_at: '2999-01-31T00:00:00.000Z',
      rate_limit_per_minute: 600,
    });
    // Granting a different permission withdraws the permission to copy.
    await page.context().clearPermissions();
    await page.context().grantPermissions(['geolocation']);
    await button(page, 'Copy').click();
    await button(page, 'The browser does not allow copying: select the text').waitFor();
    await button(page, 'Done').click();
    expect(await newKey(page).count()).toBe(0);
  });

  it("lists each of the operators' attempts in the audit trail, a hundred on a page", async ({ operate }) => {
    const { directory } = operate.world.pipeline;
    await directory.query('DELETE FROM operator_action');
    const { page } = await operate.open('#/trail');
    await page.getByRole('heading', { name: 'No changes yet' }).waitFor();
    const outcomes = ['done', 'refused', 'failed'] as const;
    for (let index = 0; index < ENTRIES; index += 1) {
      await recordOperation(
        directory,
        { actor: `Zoë ${index}`, via: index % 2 === 0 ? 'cli' : 'http', action: 'keys.create', parameters: { index } },
        { outcome: outcomes[index % 3] ?? 'done', detail: index % 5 === 0 ? null : `Detail ${index}` },
      );
    }
    const entries: Awaited<ReturnType<typeof auditTrail>> = (await operate.json('/operations?limit=1000')).operations;
    const rows = entries.map(({ at, actor, via, action, parameters, outcome, detail }) => [
      shownTime(String(at)),
      actor,
      via === 'cli' ? 'command' : 'HTTP',
      action,
      JSON.stringify(parameters),
      `${outcome}${detail === null ? '' : `: ${detail}`}`,
    ]);
    const titles = ['Time', 'Operator', 'Via', 'Action', 'Parameters', 'Outcome'];
    const pagers = page.locator('main > .actions').getByRole('button');
    await page.reload();
    await page.getByRole('table', { name: 'Audit trail' }).waitFor();
    for (const [next, start, buttons] of [
      [null, 0, ['Older']],
      ['Older', 100, ['Newer']],
      ['Newer', 0, ['Older']],
    ] as const) {
      if (next !== null) await button(page, next).click();
      const shown = rows.slice(start, start + 100);
      await expect.poll(async () => await readTable(page, 'Audit trail')).toEqual([titles, ...shown]);
      await expectTexts(pagers, buttons);
    }
    await page.route('**/operations?*', async (route) => await route.fulfill({ status: 500 }));
    await button(page, 'Older').click();
    await expectTexts(pagers, ['Newer']);
  });

  it("erases the driver in the form, after a preview with the API's figures, and can keep the summaries", async ({
    operate,
  }) => {
    const { pipeline } = operate.world;
    const trips = ['one', 'two', 'three'].map((id) => tripProcessed({ source_trip_id: id, driver_id: DRIVER }));
    const broken = ['four', 'five'].map((id) => ({
      ...tripProcessed({ source_trip_id: id, driver_id: DRIVER }),
      events: 'none',
    }));
    await deliverAndProject(pipeline, [...trips, ...broken], 'erased.trips');
    const { page } = await operate.open('#/erasure');
    const form = page.getByRole('form', { name: 'The driver' });
    const offered = async () => [await suggestionsOf(form, 0), await suggestionsOf(form, 1)];
    await expect.poll(offered).toEqual([['acme'], []]);
    await form.getByLabel('Fleet').fill('not a fleet!');
    await expect.poll(offered).toEqual([[], []]);
    await form.getByLabel('Fleet').fill(' acme ');
    await form.getByLabel('Driver id').fill('er');
    await expect.poll(offered).toEqual([['acme'], [DRIVER]]);
    const preview = page.getByRole('heading', { name: 'Preview' }).locator('..');
    expect(await preview.count()).toBe(0);
    await form.getByLabel('Driver id').fill('nobody ');
    await button(page, 'Preview').click();
    await preview.getByText('driver nobody of fleet acme would redact 0 trips and 0 stored events.').waitFor();
    expect(new URL(page.url()).hash).toBe('#/erasure?fleet=acme&driver=nobody+');

    await page.goto(`${operate.origin}/#/erasure?fleet=acme&driver=${encodeURIComponent(DRIVER)}`);
    await preview.getByText(`driver ${DRIVER} of fleet acme would redact 3 trips and 3 stored events.`).waitFor();
    expect(await form.getByLabel('Driver id').inputValue()).toBe(DRIVER);
    await button(page, 'Erase the driver').click();
    const erase = button(dialog(page), 'Erase permanently');
    expect(await dialog(page).innerText()).toContain('It affects 3 trips and 3 stored events.');
    const reason = field(page, /^Reason/);
    const typed = dialog(page).getByRole('textbox').last();
    for (const [why, id, isReady] of [
      [' asked by letter ', '', false],
      ['   ', DRIVER, false],
      [`asked for by ${DRIVER}`, DRIVER, true],
    ] as const) {
      await reason.fill(why);
      await typed.fill(id);
      expect(await erase.isEnabled(), why).toBe(isReady);
    }
    await erase.click();
    await dialog(page).getByRole('listitem').getByText('It must not name the driver').waitFor();
    await reason.fill(' asked by letter ');
    await dialog(page).getByRole('checkbox').check();
    await erase.click();
    const done = page.getByRole('heading', { name: 'The driver has been erased' }).locator('..');
    await done.waitFor();
    const [entry] = (await operate.json('/operations')).operations;
    expect(entry).toMatchObject({
      action: 'drivers.erase',
      parameters: { fleet_id: 'acme', reason: 'asked by letter', keep_aggregates: true },
    });
    const { head_position } = await operate.json('/status');
    expect((await done.innerText()).split('\n').filter((line) => line !== '')).toEqual([
      'The driver has been erased',
      `3 stored events and 2 dead letters have been redacted. The event log records the erasure at position ${shownInteger(head_position)}. The pseudonym is ${entry.parameters.pseudonym}. The daily and weekly summaries are kept under it.`,
      'Backups, the write-ahead log and the Kafka topic still contain the data until they expire.',
    ]);
    expect(await preview.count()).toBe(0);
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.getByRole('row').filter({ hasText: 'drivers.erase' }).first().getByText('asked by letter').waitFor();
    expect(await page.getByRole('table', { name: 'Audit trail' }).innerText()).not.toContain(DRIVER);
    // Other tests share this service, which is not ready until the erasure has been applied.
    await projectAll(pipeline);
  });

  it('first asks for the token and a name, links each view to every place, and names the operator', async ({
    operate,
  }) => {
    const { page } = await operate.open('#/', { token: null });
    const token = page.getByLabel("Operators' token");
    await token.fill('wrong');
    await button(page, 'Enter').click();
    await page.getByRole('alert').getByText('Enter another one.').waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('contentinfo').innerText()).not.toContain('acting as');
    await token.fill(TOKEN);
    await page.getByLabel('Your name').fill('  Ann Bö ');
    await button(page, 'Enter').click();
    await liveMark(page).waitFor();
    await page.reload();
    await liveMark(page).waitFor();
    expect(await page.getByRole('contentinfo').innerText()).toContain('You are acting as Ann Bö.');
    expect(page.url()).not.toContain(TOKEN);
    expect(await page.evaluate<string>('JSON.stringify([{ ...localStorage }, document.cookie])')).not.toContain(TOKEN);
    const places = page.getByRole('navigation', { name: 'Views' });
    expect(await hrefsOf(places.getByRole('link'))).toEqual(
      ['', 'replays', 'dead-letters', 'audits', 'lineage', 'keys', 'erasure', 'trail'].map((path) => `#/${path}`),
    );
    for (const [hash, heading, place] of [
      ['#/', 'Pipeline overview', ['Pipeline']],
      ['#/replays/4711', 'Not found', ['Replays']],
      ['#/dead-letters/1', 'Dead letter 1', ['Dead letters']],
      ['#/audits/4711', 'Not found', ['Audits']],
      ['#/lineage/trip/x', 'Lineage of a trip', ['Lineage']],
      ['#/erasure', 'Erasure', ['Erasure']],
      ['#/trail', 'Audit trail', ['Audit trail']],
      ['#/nothing', 'There is no such page', []],
    ] as const) {
      await page.goto(`${operate.origin}/${hash}`);
      await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
      expect(await places.locator('[aria-current=page]').allInnerTexts(), hash).toEqual(place);
    }
    await page.getByRole('main').getByRole('link', { name: 'Pipeline overview' }).click();
    await page.locator('.headline').waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    await button(page, 'Create a key').click();
    await field(page, /^Fleet/).fill('north');
    await button(dialog(page), 'Create').click();
    await newKey(page).waitFor();
    expect((await operate.json('/operations')).operations[0]).toMatchObject({ action: 'keys.create', actor: 'Ann Bö' });
    await button(page, 'Forget the token').click();
    await token.waitFor();
    expect(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.toContain(TOKEN);
  });
});
