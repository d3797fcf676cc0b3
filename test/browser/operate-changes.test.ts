import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { focused } from '../support/console/keyboard.ts';
import { type OperateWorld, openOperate } from '../support/console/operate.ts';
import { readFacts } from '../support/console/reading.ts';

const UNKNOWN =
  'The server did not answer, so it is not known whether the change was made. Check the view before you try again.';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });

/** Records which paths a page requests in order to change something. */
function changesOf(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') paths.push(new URL(request.url()).pathname);
  });
  return paths;
}

describeWithBrowser("Operate's changes", () => {
  let operate: OperateWorld;
  const ask = async (path: string) => (await operate.ask(path)).json();

  beforeAll(async () => {
    operate = await openOperate();
    // The worker runs an audit when it starts.
    const isAudited = async () => expect((await ask('/audits')).audits).toHaveLength(1);
    await vi.waitFor(isAudited, { timeout: 120_000, interval: 200 });
  });
  afterAll(async () => await operate?.close());

  it('send nothing when the dialog is closed without a confirmation', async () => {
    const { page } = await operate.open('#/audits');
    const changes = changesOf(page);
    await button(page, 'Run an audit').click();
    const named = page.getByRole('dialog', { name: 'Run an audit', exact: true });
    await named.getByText('An audit computes every row of the live read tables again').waitFor();
    expect(await named.getByRole('button').allInnerTexts()).toEqual(['Run', 'Cancel']);
    expect(await inDialog(page, 'Run').getAttribute('class')).toBe('primary');
    await inDialog(page, 'Cancel').click();
    await expect.poll(async () => await dialog(page).count()).toBe(0);
    await expect.poll(async () => await focused(page)).toBe('button "Run an audit"');
    await button(page, 'Run an audit').click();
    await page.keyboard.press('Escape');
    await expect.poll(async () => await dialog(page).count()).toBe(0);
    expect(changes).toEqual([]);
    await page.context().close();
  });

  it('report that the outcome is unknown when no answer arrives, and forget it when the dialog opens again', async () => {
    const { page } = await operate.open('#/audits');
    const changes = changesOf(page);
    const fail = async () =>
      await page.route('**/audits', async (route) => {
        await (route.request().method() === 'POST' ? route.abort() : route.continue());
      });
    await fail();
    await button(page, 'Run an audit').click();
    await inDialog(page, 'Run').click();
    await expect
      .poll(async () => await dialog(page).getByRole('alert').allInnerTexts())
      .toEqual([expect.stringContaining(UNKNOWN)]);
    expect(await inDialog(page, 'Run').isEnabled()).toBe(true);
    await inDialog(page, 'Cancel').click();
    await button(page, 'Run an audit').click();
    await inDialog(page, 'Run').waitFor();
    expect(await dialog(page).getByRole('alert').count()).toBe(0);
    expect(changes).toEqual(['/audits']);
    await page.context().close();
  });

  it('show the reason of the server when it refuses them', async () => {
    const { page } = await operate.open('#/keys');
    await button(page, 'Create a key').click();
    await dialog(page)
      .getByLabel(/^Fleet/)
      .fill('acme');
    await dialog(page)
      .getByLabel(/^Expires/)
      .fill('2001-01-31');
    await inDialog(page, 'Create').click();
    await expect
      .poll(async () => await dialog(page).getByRole('alert').allInnerTexts())
      .toEqual([expect.stringMatching(/^The service rejected this request/)]);
    expect(await dialog(page).getByRole('alert').innerText()).not.toContain(UNKNOWN);
    await page.context().close();
  });

  it('are sent once, while the dialog asks to wait', async () => {
    const { page } = await operate.open('#/audits');
    const changes = changesOf(page);
    const before = (await ask('/audits')).audits.length;
    const [sent, listed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.getByRole('table', { name: 'Audits' }).waitFor();
    await page.route('**/audits*', async (route) => {
      await (route.request().method() === 'POST' ? sent : listed).promise;
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
    const requested = 'The audit has been requested. Its result appears here when a worker has finished it.';
    await expect.poll(outcome).toBe(requested);
    expect(await button(page, 'Run an audit').isDisabled()).toBe(true);
    listed.resolve();
    const rows = async () => await page.getByRole('table', { name: 'Audits' }).locator('tbody tr').count();
    await expect.poll(async () => [await outcome(), await rows()], { timeout: 90_000 }).toEqual(['', before + 1]);
    expect(await button(page, 'Run an audit').isEnabled()).toBe(true);
    expect(changes).toEqual(['/audits']);
    await page.context().close();
  });

  it('show their effect on the page, and accept only the exact text that confirms them', async () => {
    const id = (await ask('/dead-letters')).dead_letters[0].id;
    const { page } = await operate.open(`#/dead-letters/${id}`);
    await button(page, 'Discard').click();
    expect(await inDialog(page, 'Discard').getAttribute('class')).toBe('danger');
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
    const settled = async () => (await readFacts(page)).find(([name]) => name === 'Settled')?.[1];
    await expect.poll(settled).toMatch(/^discarded, /);
    expect(await page.locator('main header').getByRole('button').count()).toBe(0);
    await expect.poll(async () => await focused(page)).toMatch(`heading "Dead letter ${id}"`);
    await page.context().close();
  });
});
