import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { focused, tabTo } from '../support/console/keyboard.ts';
import { it, liveMark } from '../support/console/operate.ts';

/** Presses a key. If `wanted` is given, the key must move the focus to this element. */
async function press(page: Page, key: string, wanted?: RegExp): Promise<void> {
  await page.keyboard.press(key);
  if (wanted) await expect.poll(async () => await focused(page)).toMatch(wanted);
}

describeWithBrowser('the console with the keyboard alone', () => {
  it("Explore can be used from the list of drivers to a trip's playback", async ({ explore }) => {
    const { page } = await explore.open();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    const stops = await tabTo(page, /^link "Ada Lovelace"/);
    expect(stops.slice(0, 5)).toEqual([
      'button "Skip to the content"',
      'link "Milepost Explore"',
      'link "Drivers"',
      'link "Summaries"',
      'link "Trips"',
    ]);
    await press(page, 'Enter', /^heading "Ada Lovelace"/);
    await page.getByText('2 trips.').waitFor();
    await page.getByText(/\d days driven in six months/).waitFor();
    await tabTo(page, /^button "Start \(UTC\)/);
    await tabTo(page, /^link "\d+ \w+ \d{4}, 08:00"/);
    await press(page, 'Enter', /^heading "Trip of/);
    await page.locator('.vehicle').waitFor();
    await tabTo(page, /^button "Play"/);
    await press(page, 'Enter');
    await tabTo(page, /^slider "Time in the trip"/);
    await press(page, 'End');
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await press(page, 'ArrowLeft');
    await expect.poll(async () => await page.getByRole('slider').getAttribute('aria-valuetext')).toBe('08:29:59 UTC');
  });

  it("Explore's options change with the arrow keys, and every view's header can be skipped", async ({ explore }) => {
    const { page } = await explore.open();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    await tabTo(page, /^radio "miles"/);
    await press(page, 'ArrowRight', /^radio "kilometres" \[checked\]/);
    await page.reload();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    await tabTo(page, /Skip to the content/);
    await press(page, 'Enter');
    expect(await tabTo(page, /^searchbox/)).toHaveLength(2);
  });

  it('Operate can start and cancel a replay, and the focus moves to dialogs and back', async ({ operate }) => {
    const { page } = await operate.open();
    await liveMark(page).waitFor();
    await tabTo(page, /^link "Replays"/);
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'Replays', exact: true }).waitFor();
    await tabTo(page, /^button "Start a replay"/);
    await press(page, 'Enter', /^combobox "Projection"/);
    await press(page, 'Escape', /^button "Start a replay"/);
    await press(page, 'Enter', /^combobox "Projection"/);
    await press(page, 'ArrowDown');
    // This is slow enough for the replay to still be running when it is throttled and cancelled.
    await tabTo(page, /^textbox "Throttle/);
    await press(page, 'ControlOrMeta+A');
    await page.keyboard.type('1');
    await tabTo(page, /^button "Start"/);
    await press(page, 'Enter', /^heading "Replay \d+"/);
    const id = new URL(page.url()).hash.replace('#/replays/', '');
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await tabTo(page, /^button "Throttle: 1"/);
    await press(page, 'Enter', /^textbox "Throttle/);
    await press(page, 'ControlOrMeta+A');
    await page.keyboard.type('7');
    await press(page, 'Enter', /^button "Throttle: 7"/);
    await tabTo(page, /^button "Cancel"/);
    await press(page, 'Enter', /^button "Cancel the replay"/);
    await press(page, 'Tab', /^button "Keep the replay"/);
    await press(page, 'Enter', /^button "Cancel"/);
    await press(page, 'Enter', /^button "Cancel the replay"/);
    await press(page, 'Enter');
    await expect.poll(async () => (await operate.ask(`/replays/${id}`)).json().phase).toBe('cancelled');
    await page.getByText('cancelled', { exact: true }).first().waitFor();
    // The button has been removed, but the focus is not lost.
    await expect.poll(async () => await focused(page)).toMatch(new RegExp(`^heading "Replay ${id}"`));
  });

  it.for(["querySelector('button[type=button]').click()", 'requestClose()'])(
    'a dialog can be reopened immediately after it was closed with %s',
    async (close, { operate }) => {
      const { page } = await operate.open('#/replays');
      await page.getByRole('button', { name: 'Start a replay' }).click();
      await page.getByRole('dialog').waitFor();
      const isOpen = await page.evaluate<boolean>(`(async () => {
        document.querySelector('dialog').${close};
        [...document.querySelectorAll('main button')].find((button) => button.textContent === 'Start a replay').click();
        for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
        return document.querySelector('dialog')?.open ?? false;
      })()`);
      expect(isOpen).toBe(true);
    },
  );
});
