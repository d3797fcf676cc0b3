import { recordOperation } from '@milepost/operations/audit-trail';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { suggestionsOf } from '../support/console/contents.ts';
import { liveMark, type OperateWorld, openOperate } from '../support/console/operate.ts';
import { readTable, shownInteger, shownTime } from '../support/console/reading.ts';
import { type auditTrail, TOKEN } from '../support/ops.ts';
import { deliver, projectAll } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';

const ENTRIES = 205;
const DRIVER = 'er ase/2';

type Entries = Awaited<ReturnType<typeof auditTrail>>;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const hashOf = (page: Page) => new URL(page.url()).hash;

describeWithBrowser("Operate's keys, erasures and audit trail", () => {
  let operate: OperateWorld;
  const ask = async (path: string) => (await operate.ask(path)).json();
  const createKey = async (body: object): Promise<string> =>
    (await operate.ask('/keys', { method: 'POST', body })).json().id;

  beforeAll(async () => {
    operate = await openOperate();
    const { ingest } = operate.world.pipeline;
    const trips = ['one', 'two', 'three'].map((id) => tripProcessed({ source_trip_id: id, driver_id: DRIVER }));
    const broken = ['four', 'five'].map((id) => ({
      ...tripProcessed({ source_trip_id: id, driver_id: DRIVER }),
      events: 'none',
    }));
    await deliver(ingest, [...trips, ...broken], 'erased.trips');
    await projectAll(operate.world.pipeline);
  });
  afterAll(async () => await operate?.close());

  it('lists each key with its state, its times and its limit, and pages after fifty keys', async () => {
    const { directory } = operate.world.pipeline;
    await directory.query('DELETE FROM api_key');
    const { page } = await operate.open('#/keys');
    await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
    const full = { fleet_id: 'acme', name: 'billing', expires: '2999-01-31', rate_limit_per_minute: 1_200 };
    const ids = [await createKey(full), await createKey({ fleet_id: 'south' }), await createKey({ fleet_id: 'west' })];
    await operate.ask(`/keys/${ids[1]}`, { method: 'DELETE' });
    await directory.query(`UPDATE api_key SET expires_at = '2025-01-15T08:00:05Z' WHERE fleet_id = 'west'`);
    await directory.query(`UPDATE api_key SET last_used_at = now() - interval '1 hour' WHERE fleet_id = 'acme'`);
    await page.reload();
    await page.getByRole('table', { name: 'API keys' }).waitFor();
    const { keys } = await ask('/keys');
    const byId = (id: string | undefined) => keys.find((key: { id: string }) => key.id === id);
    const [one, revoked, expired] = ids.map(byId);
    const rows = new Map([
      [
        'acme',
        [
          'billing',
          'valid',
          shownTime(one.created_at),
          shownTime(one.last_used_at),
          '31 Jan 2999, 00:00:00',
          '1,200',
          'Revoke',
        ],
      ],
      ['south', ['–', `revoked ${shownTime(revoked.revoked_at)}`, shownTime(revoked.created_at), '–', '–', '–', '']],
      ['west', ['–', 'expired', shownTime(expired.created_at), '–', '15 Jan 2025, 08:00:05', '–', 'Revoke']],
    ]);
    expect(await readTable(page, 'API keys')).toEqual([
      ['Key', 'Fleet', 'Name', 'State', 'Created', 'Last used', 'Expires', 'Requests per minute', 'Action'],
      ...keys.map(({ id, fleet_id }: { id: string; fleet_id: string }) => [
        id,
        fleet_id,
        ...(rows.get(fleet_id) ?? []),
      ]),
    ]);
    expect(await page.getByText('No API keys yet').count()).toBe(0);
    await page.getByText('The request of this view').click();
    expect(await page.getByRole('region', { name: 'Requests as shell commands' }).innerText()).toBe(
      `curl -sS '${operate.origin}/keys' -H 'Content-Type: application/json' -H "Authorization: Bearer $OPS_TOKEN"`,
    );
    await directory.query(
      `INSERT INTO api_key (api_key_id, fleet_id, key_hash)
       SELECT 'key_many' || number, 'many', sha256(number::text::bytea) FROM generate_series(1, 48) AS number`,
    );
    await page.reload();
    await page.getByText('Page 1 of 2').waitFor();
    expect(await readTable(page, 'API keys')).toHaveLength(51);

    // The last page disappears while it is shown.
    await directory.query(
      `INSERT INTO api_key (api_key_id, fleet_id, key_hash)
       SELECT 'key_more' || number, 'more', sha256(('more' || number)::text::bytea) FROM generate_series(1, 60) AS number`,
    );
    await page.reload();
    await button(page, 'Next').click();
    await button(page, 'Next').click();
    await page.getByText('Page 3 of 3').waitFor();
    await directory.query(`DELETE FROM api_key WHERE fleet_id = 'more'`);
    await button(page, 'Create a key').click();
    await page.getByLabel(/^Fleet/).fill('last');
    await button(page, 'Create').click();
    await page.getByText('Page 2 of 2').waitFor();
    await button(page, 'Previous').click();
    const place = page.getByText(/^Page \d of \d$/);
    await expect.poll(async () => await place.innerText()).toBe('Page 1 of 2');
    await page.context().close();
  });

  it('creates a key from the fields that are filled, copies it, and forgets the last outcome', async () => {
    await operate.world.pipeline.directory.query('DELETE FROM api_key');
    const { page } = await operate.open('#/keys');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const dialog = page.getByRole('dialog');
    const create = dialog.getByRole('button', { name: 'Create', exact: true });
    await button(page, 'Create a key').click();
    const fleet = dialog.getByLabel(/^Fleet/);
    const isAllowed: boolean[] = [];
    for (const text of ['', 'x'.repeat(65), 'x y', 'x'.repeat(64), ' plain_-1 ']) {
      await fleet.fill(text);
      isAllowed.push(await create.isEnabled());
    }
    expect(isAllowed).toEqual([false, false, false, true, true]);
    expect(await dialog.getByLabel(/^Name/).getAttribute('maxlength')).toBe('100');
    await dialog.getByLabel(/^Name/).fill('   ');
    await create.click();
    const shown = page.getByRole('region', { name: 'The new key' });
    await shown.waitFor();
    const text = await shown.locator('code').innerText();
    expect(await shown.getByRole('heading').innerText()).toBe('The key of plain_-1');
    await button(page, 'Copy').click();
    await button(page, 'Copied').waitFor();
    expect(await shown.innerText()).toContain('Warning: No record of the fleet plain_-1 is stored yet');
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(text);
    await button(page, 'Done').click();
    expect(await shown.count()).toBe(0);
    const [entry] = (await ask('/operations')).operations;
    expect(entry).toMatchObject({ action: 'keys.create', actor: 'ops-token', parameters: { fleet_id: 'plain_-1' } });
    expect(Object.keys(entry.parameters)).toEqual(['fleet_id']);
    const created = (await ask('/keys')).keys.find(({ fleet_id }: { fleet_id: string }) => fleet_id === 'plain_-1');
    expect(created).toMatchObject({ name: null, expires_at: null, rate_limit_per_minute: null, state: 'valid' });

    await page.getByRole('row', { name: created.id }).getByRole('button', { name: 'Revoke' }).click();
    expect(await dialog.innerText()).toContain('You can create another key for plain_-1 at any time.');
    await dialog.getByRole('textbox').fill(created.id);
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    const outcome = page.locator('p.outcome');
    await expect.poll(async () => await outcome.innerText()).toBe(`${created.id} is revoked.`);
    const row = page.getByRole('row', { name: created.id });
    await expect.poll(async () => await row.getByRole('button').count()).toBe(0);
    await button(page, 'Create a key').click();
    await fleet.fill('second');
    await create.click();
    await shown.waitFor();
    expect(await outcome.innerText()).toBe('');
    await page.context().close();
  });

  it('offers to copy the next key although the last one was copied, and says when the browser forbids it', async () => {
    const { page } = await operate.open('#/keys');
    const create = async (fleet: string) => {
      await button(page, 'Create a key').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(/^Fleet/).fill(fleet);
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { name: `The key of ${fleet}` }).waitFor();
    };
    await page.context().grantPermissions(['clipboard-write']);
    await create('copied');
    await button(page, 'Copy').click();
    await button(page, 'Copied').waitFor();
    await create('next');
    // Granting the other permission withdraws this one.
    await page.context().clearPermissions();
    await page.context().grantPermissions(['geolocation']);
    await button(page, 'Copy').click();
    await button(page, 'The browser does not allow copying: select the text').waitFor();
    await page.context().close();
  });

  it('lists each attempt of an operator in the audit trail, a hundred on a page', async () => {
    const { directory } = operate.world.pipeline;
    await directory.query('DELETE FROM operator_action');
    const { page } = await operate.open('#/trail');
    await page.getByRole('heading', { name: 'No changes yet' }).waitFor();
    const outcomes = ['done', 'refused', 'failed'] as const;
    for (let index = 0; index < ENTRIES; index += 1) {
      const outcome = outcomes[index % 3] ?? 'done';
      await recordOperation(
        directory,
        { actor: `Zoë ${index}`, via: index % 2 === 0 ? 'cli' : 'http', action: 'keys.create', parameters: { index } },
        { outcome, detail: index % 5 === 0 ? null : `Detail ${index}` },
      );
    }
    const rowsOf = (entries: Entries) =>
      entries.map(({ at, actor, via, action, parameters, outcome, detail }) => [
        shownTime(String(at)),
        actor,
        via === 'cli' ? 'command' : 'HTTP',
        action,
        JSON.stringify(parameters),
        `${outcome}${detail === null ? '' : `: ${detail}`}`,
      ]);
    const entries: Entries = (await ask('/operations?limit=1000')).operations;
    expect(entries.map(({ actor }) => actor)).toEqual(
      Array.from({ length: ENTRIES }, (_, index) => `Zoë ${ENTRIES - 1 - index}`),
    );
    const titles = ['Time', 'Operator', 'Via', 'Action', 'Parameters', 'Outcome'];
    const expectPage = async (start: number, buttons: string[]) => {
      const shown = entries.slice(start, start + 100);
      await expect.poll(async () => await readTable(page, 'Audit trail')).toEqual([titles, ...rowsOf(shown)]);
      expect(await page.locator('main > .actions').getByRole('button').allInnerTexts()).toEqual(buttons);
      const faults = shown.filter(({ outcome }) => outcome !== 'done');
      expect(await page.locator('td .fault').count()).toBe(faults.length);
    };
    await page.reload();
    await page.getByRole('table', { name: 'Audit trail' }).waitFor();
    await expectPage(0, ['Older']);
    await button(page, 'Older').click();
    await expectPage(100, ['Newer', 'Older']);
    await button(page, 'Older').click();
    await expectPage(200, ['Newer']);
    await button(page, 'Newer').click();
    await expectPage(100, ['Newer', 'Older']);
    await button(page, 'Newer').click();
    await expectPage(0, ['Older']);
    await page.context().close();
  });

  it('erases the driver of the form, after a preview with the figures of the API, and can keep the summaries', async () => {
    const { page } = await operate.open('#/erasure');
    const form = page.getByRole('form', { name: 'The driver' });
    const offered = async (index: number) => await suggestionsOf(form, index);
    await expect.poll(async () => await offered(0)).toEqual(['acme']);
    expect(await offered(1)).toEqual([]);
    expect(await page.getByRole('heading', { name: 'Preview' }).count()).toBe(0);
    await form.getByLabel('Fleet').fill(' acme ');
    await form.getByLabel('Driver id').fill('er');
    await expect.poll(async () => await offered(1)).toEqual([DRIVER]);
    await form.getByLabel('Fleet').fill('not a fleet!');
    await expect.poll(async () => [await offered(0), await offered(1)]).toEqual([[], []]);
    await form.getByLabel('Fleet').fill(' acme ');
    await form.getByLabel('Driver id').fill('nobody ');
    await button(page, 'Preview').click();
    const preview = page.getByRole('heading', { name: 'Preview' }).locator('..');
    await preview.getByText('driver nobody of fleet acme would redact 0 trips and 0 stored events.').waitFor();
    expect(hashOf(page)).toBe('#/erasure?fleet=acme&driver=nobody+');

    await page.goto(`${operate.origin}/#/erasure?fleet=acme&driver=${encodeURIComponent(DRIVER)}`);
    await preview.getByText(DRIVER).waitFor();
    expect(await form.getByLabel('Fleet').inputValue()).toBe('acme');
    expect(await form.getByLabel('Driver id').inputValue()).toBe(DRIVER);
    expect(await preview.innerText()).toContain(
      `The erasure of driver ${DRIVER} of fleet acme would redact 3 trips and 3 stored events.`,
    );
    await button(page, 'Erase the driver').click();
    const dialog = page.getByRole('dialog');
    const erase = dialog.getByRole('button', { name: 'Erase permanently', exact: true });
    expect(await dialog.innerText()).toContain('It affects 3 trips and 3 stored events.');
    await dialog.getByRole('textbox').last().fill(DRIVER);
    await dialog.getByLabel(/^Reason/).fill('   ');
    expect(await erase.isDisabled()).toBe(true);
    await dialog.getByLabel(/^Reason/).fill(' asked by letter ');
    expect(await dialog.getByRole('checkbox').isChecked()).toBe(false);
    await dialog.getByRole('checkbox').check();
    await erase.click();
    const done = page.getByRole('heading', { name: 'The driver is erased' }).locator('..');
    await done.waitFor();
    const [entry] = (await ask('/operations')).operations;
    expect(entry).toMatchObject({
      action: 'drivers.erase',
      parameters: { fleet_id: 'acme', reason: 'asked by letter', keep_aggregates: true },
    });
    const { head_position } = await ask('/status');
    const { pseudonym } = entry.parameters;
    expect((await done.innerText()).split('\n').filter((line) => line !== '')).toEqual([
      'The driver is erased',
      `3 stored events and 2 dead letters were redacted. The event log records the erasure at position ${shownInteger(head_position)}. The pseudonym is ${pseudonym}. The daily and weekly summaries are kept under it.`,
      'Backups, the write-ahead log and the Kafka topic still contain the data until they expire.',
    ]);
    expect(await preview.count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.context().close();
  });

  it('leads from each view to every place, marks the current one, and names the operator', async () => {
    const { page } = await operate.open('#/', { token: null });
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('contentinfo').innerText()).not.toContain('acting as');
    await page.getByLabel("Operators' token").fill(TOKEN);
    expect(await page.getByLabel('Your name').getAttribute('maxlength')).toBe('128');
    await page.getByLabel('Your name').fill('  Ann B ');
    await button(page, 'Enter').click();
    await liveMark(page).waitFor();
    await page.reload();
    await liveMark(page).waitFor();
    expect(await page.getByRole('contentinfo').innerText()).toContain('You are acting as Ann B.');
    const places = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
    const shown = async () =>
      await places.evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('href')]));
    expect(await shown()).toEqual([
      ['Pipeline', '#/'],
      ['Replays', '#/replays'],
      ['Dead letters', '#/dead-letters'],
      ['Audits', '#/audits'],
      ['Lineage', '#/lineage'],
      ['API keys', '#/keys'],
      ['Erasure', '#/erasure'],
      ['Audit trail', '#/trail'],
    ]);
    for (const [hash, heading, place] of [
      ['#/', 'Pipeline overview', 'Pipeline'],
      ['#/replays', 'Replays', 'Replays'],
      ['#/replays/4711', 'Not found', 'Replays'],
      ['#/dead-letters', 'Dead letters', 'Dead letters'],
      ['#/dead-letters/1', 'Dead letter 1', 'Dead letters'],
      ['#/audits', 'Audits', 'Audits'],
      ['#/audits/4711', 'Not found', 'Audits'],
      ['#/lineage', 'Lineage', 'Lineage'],
      ['#/lineage/trip/x', 'Lineage of a trip', 'Lineage'],
      ['#/lineage/acme/driver-1/2025-01-15', "Lineage of a driver's day", 'Lineage'],
      ['#/keys', 'API keys', 'API keys'],
      ['#/erasure', 'Erasure', 'Erasure'],
      ['#/trail', 'Audit trail', 'Audit trail'],
      ['#/nothing', 'There is no such page', null],
    ] as const) {
      await page.goto(`${operate.origin}/${hash}`);
      await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
      const current = page.getByRole('navigation', { name: 'Views' }).locator('[aria-current=page]');
      expect(await current.allInnerTexts(), hash).toEqual(place === null ? [] : [place]);
    }
    await page.getByRole('main').getByRole('link', { name: 'Pipeline overview' }).click();
    await page.locator('.headline').waitFor();
    await page.context().close();
  });
});
