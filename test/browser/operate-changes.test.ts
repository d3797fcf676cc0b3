import { runAudit } from '@milepost/audit';
import { PROJECTIONS } from '@milepost/projections';
import { expect } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { button, dialog, expectTexts, inDialog } from '../support/console/contents.ts';
import { focused } from '../support/console/keyboard.ts';
import { it } from '../support/console/operate.ts';
import { deliver } from '../support/pipeline.ts';

const UNKNOWN =
  'The server did not respond, so it is not known whether the change was made. Check the view before you try again.';

describeWithBrowser("Operate's changes", () => {
  it('send nothing if the dialog is closed, and report and then forget an unknown outcome', async ({ operate }) => {
    const { page } = await operate.open('#/audits');
    const changes: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') changes.push(new URL(request.url()).pathname);
    });
    await button(page, 'Run an audit').click();
    const named = page.getByRole('dialog', { name: 'Run an audit', exact: true });
    await named.getByText('An audit recomputes every row of the live read tables').waitFor();
    await expectTexts(named.getByRole('button'), ['Run', 'Cancel']);
    await inDialog(page, 'Cancel').click();
    await dialog(page).waitFor({ state: 'detached' });
    await expect.poll(async () => await focused(page)).toBe('button "Run an audit"');
    expect(changes).toEqual([]);
    await page.route('**/audits', async (route) => {
      await (route.request().method() === 'POST' ? route.abort() : route.continue());
    });
    const alert = dialog(page).getByRole('alert');
    await button(page, 'Run an audit').click();
    await inDialog(page, 'Run').click();
    await expectTexts(alert, [expect.stringContaining(UNKNOWN)]);
    expect(await inDialog(page, 'Run').isEnabled()).toBe(true);
    await inDialog(page, 'Cancel').click();
    await button(page, 'Run an audit').click();
    await inDialog(page, 'Run').waitFor();
    expect(await alert.count()).toBe(0);
    expect(changes).toEqual(['/audits']);
  });

  it('are sent only once, while the dialog asks the operator to wait', async ({ operate }) => {
    await runAudit(operate.world.pipeline.projector, PROJECTIONS, { projection: 'fleets' });
    const { page } = await operate.open('#/audits');
    const audits = page.getByRole('table', { name: 'Audits' });
    const rows = async () => await audits.locator('tbody tr').count();
    await audits.waitFor();
    const before = await rows();
    const [sent, listed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let changes = 0;
    await page.route('**/audits*', async (route) => {
      const isChange = route.request().method() === 'POST';
      if (isChange) changes += 1;
      await (isChange ? sent : listed).promise;
      await route.continue();
    });
    await button(page, 'Run an audit').click();
    await inDialog(page, 'Run').click();
    await inDialog(page, 'Please wait …').waitFor();
    expect(await inDialog(page, 'Please wait …').isDisabled()).toBe(true);
    // A form can also be submitted without its button.
    await dialog(page).locator('form').dispatchEvent('submit');
    sent.resolve();
    await expect.poll(async () => await dialog(page).count()).toBe(0);
    const outcome = async () => await page.locator('p.outcome').textContent();
    const requested = 'The audit has been requested. Its result will appear here once a worker has finished it.';
    await expect.poll(outcome).toBe(requested);
    expect(await button(page, 'Run an audit').isDisabled()).toBe(true);
    listed.resolve();
    await expect.poll(async () => [await outcome(), await rows()]).toEqual(['', before + 1]);
    expect(await button(page, 'Run an audit').isEnabled()).toBe(true);
    expect(changes).toBe(1);
  });

  it('show their effect on the page, and accept only the exact text as confirmation', async ({ operate }) => {
    await deliver(operate.world.pipeline.ingest, ['{"discarded"'], 'discarded.trips');
    const { id } = (await operate.json('/dead-letters')).dead_letters[0];
    const { page } = await operate.open(`#/dead-letters/${id}`);
    await button(page, 'Discard').click();
    await dialog(page).getByText(`This cannot be undone. To continue, type ${id}`, { exact: true }).waitFor();
    await dialog(page).getByLabel('Reason').fill('noise');
    for (const [text, isReady] of [
      ['', false],
      [` ${id}`, false],
      [`${id}0`, false],
      [String(id), true],
    ] as const) {
      await dialog(page).getByRole('textbox').last().fill(text);
      expect(await inDialog(page, 'Discard').isEnabled(), text).toBe(isReady);
    }
    await inDialog(page, 'Discard').click();
    await page.getByText(/^discarded, /).waitFor();
    expect(await page.locator('main header').getByRole('button').count()).toBe(0);
    await expect.poll(async () => await focused(page)).toMatch(`heading "Dead letter ${id}"`);
  });
});
