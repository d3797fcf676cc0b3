import { list, showOne } from '@milepost/operations/replays';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, vi } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import {
  button,
  dialog,
  expectRows,
  expectTexts,
  inDialog,
  readFacts,
  readLinks,
  readTable,
} from '../support/console/contents.ts';
import { it, openPerSuite } from '../support/console/operate.ts';
import { shownDate, shownDays, shownInteger, shownTime } from '../support/console/shown.ts';

const LONG_WAIT = { timeout: 120_000, interval: 200 };
const BUILDING = ['filling', 'indexing', 'catching up', 'verifying', 'waiting', 'promoting', 'promoted'];
const ROLLED_BACK = [['catching up', 'promoting'], ['promoted'], []];

const signed = (value = NaN) => {
  const size = Math.abs(value).toFixed(1);
  return Number(size) === 0 ? size : `${value > 0 ? '+' : '−'}${size}`;
};

/** The phases that a page lists: those before the current one, the current one, and those after it. */
async function phasesOf(page: Page): Promise<string[][]> {
  const phases = page.getByRole('list', { name: 'Phases' });
  const past = await phases.locator('.past').allInnerTexts();
  const current = await phases.locator('[aria-current=step]').allInnerTexts();
  const all = await phases.getByRole('listitem').allInnerTexts();
  return [past, current, all.slice(past.length + current.length)];
}

describeWithBrowser("Operate's replays", () => {
  const operate = openPerSuite();
  const send = async (path: string, body?: object) => {
    const { statusCode, body: answer } = await operate.ask(path, { method: 'POST', ...(body ? { body } : {}) });
    if (statusCode >= 300) throw new Error(`${path}: ${answer}`);
  };
  const reaches = async (id: number, state: object) =>
    await vi.waitFor(async () => expect(await operate.json(`/replays/${id}`)).toMatchObject(state), LONG_WAIT);
  const open = async (hash: string) => (await operate.open(hash)).page;
  const go = async (page: Page, id: number) => {
    await page.goto(`${operate.origin}/#/replays/${id}`);
    await page.getByRole('heading', { name: `Replay ${id}`, exact: true }).waitFor();
    await page.locator('dl.facts').waitFor();
  };

  it.beforeAll(async () => {
    const { owner } = operate.world.pipeline;
    const spoil = async (change: string, driver: string, where = 'date > CURRENT_DATE - 6') =>
      await owner.query(`UPDATE daily_rollups SET ${change} WHERE driver_id = '${driver}' AND ${where}`);
    const replaced = (field: string, value: string) =>
      `summary = regexp_replace(summary, '"${field}":[^,]+', '"${field}":${value}')`;
    await spoil(replaced('fm_score', '40'), 'driver-00001');
    await spoil(replaced('fm_grade', '"poor"'), 'driver-00001');
    await spoil(replaced('fm_score', '100'), 'driver-00008');
    await spoil('date = date - 400', 'driver-1', 'true');
    await send('/replays', { projection: 'daily_rollups', throttle: 'off' });
    await reaches(1, { phase: 'waiting' });
    await send('/replays', { projection: 'trips', throttle: 1 });
    await send('/replays/2/pause');
    await reaches(2, { halted: 'paused', running: false });
    await owner.query(`UPDATE replay SET halted = 'failed', error = 'The disk is full.' WHERE replay_id = 2`);
    await send('/replays', { projection: 'drivers', throttle: 1 });
    await send('/replays/3/cancel');
    await reaches(3, { phase: 'cancelled' });
    await send('/replays', { projection: 'fleets', throttle: 'off', promote: true });
    await reaches(4, { phase: 'promoted' });
    await send('/projections/fleets/roll-back');
    await reaches(5, { phase: 'promoted' });
    await send('/replays', { projection: 'drivers', throttle: 'off' });
    await reaches(6, { phase: 'waiting' });
    // Pretend that this table belongs to a new version and lacks its oldest rows.
    const expected = '{"equal": false, "expected": true, "differences": 1}';
    await owner.query(
      `UPDATE replay SET cutoff = '2025-01-05', verification = jsonb_set(
         verification || '${expected}' || '{"cutoff": "2025-01-05"}', '{tables,0}',
         verification #> '{tables,0}' || '${expected}' || '{"differing_day_count": 20}') WHERE replay_id = 6`,
    );
  });

  it('are listed with their state, verification and times, running replays first', async () => {
    const page = await open('#/replays');
    const replays = (await operate.read(list, '/replays')).replays.slice(-6);
    const [failed, unequal] = replays.slice(-2);
    const differences = shownInteger(unequal?.verification?.differences ?? null);
    const states = [
      ['6', 'drivers', 'waiting', '1 difference, expected'],
      ['5 (roll back)', 'fleets', 'promotedlive', '–'],
      ['4', 'fleets', 'promoted', 'equal'],
      ['3', 'drivers', 'cancelled', '–'],
      ['2', 'trips', 'filling, failed', '–'],
      ['1', 'daily_rollups', 'waiting', `${differences} differences`],
    ];
    await page.getByRole('table', { name: 'Replays' }).waitFor();
    const [titles, ...rows] = await readTable(page, 'Replays');
    expect(titles).toEqual(['Replay', 'Projection', 'State', 'Verification', 'Requested by', 'Started', 'Ended']);
    expect(rows.slice(-6)).toEqual(
      replays.map(({ created_at, finished_at }, index) => {
        return [...(states[index] ?? []), 'ops-token', shownTime(created_at), shownTime(finished_at)];
      }),
    );
    // These cards show the status, which may arrive after the list.
    await page.getByRole('heading', { name: 'Running replays' }).waitFor();
    const cards = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Running replays' }) });
    expect((await cards.locator('p').allInnerTexts()).slice(-5, -2)).toEqual([
      'Replay 2 of trips: filling, failed',
      'The disk is full.',
      `${shownInteger(failed?.position ?? null)} of ${shownInteger(failed?.target ?? null)}`,
    ]);
    expect((await readLinks(cards)).slice(-2)).toEqual([
      ['Replay 2', '#/replays/2'],
      ['Replay 1', '#/replays/1'],
    ]);
  });

  it('show their facts and phases, and the actions that their state allows', async () => {
    const page = await open('#/replays/1');
    const { throttle } = await operate.json('/replays/2');
    const ofFailed = ['Resume', `Throttle: ${throttle}`, 'Cancel'];
    for (const [id, headline, phases, alerts, bars, actions] of [
      [1, 'waiting', [BUILDING.slice(0, 4), ['waiting'], ['promoting', 'promoted']], [], 1, ['Promote', 'Drop']],
      [2, 'filling, failed', [[], ['filling'], BUILDING.slice(1)], ['The disk is full.'], 1, ofFailed],
      [3, 'cancelled', [['cancelling'], ['cancelled'], []], [], 0, []],
      [5, 'promotedlive', ROLLED_BACK, [], 0, ['Roll back', 'Drop unused generations']],
    ] as const) {
      await go(page, id);
      const replay = await operate.json(`/replays/${id}`);
      const [{ projection, generation, version, checkpoint }] = replay.generations;
      expect(await readFacts(page)).toEqual([
        ['Projection', replay.projection],
        ['Kind', id === 5 ? 'roll back' : 'build'],
        ['Requested by', 'ops-token'],
        ['Started', shownTime(replay.created_at)],
        ['Ended', shownTime(replay.finished_at)],
        ['Promotion', id === 5 ? 'automatic after verification' : 'on request'],
        ['Generations', `${projection} ${generation} (version ${version}, position ${shownInteger(checkpoint)})`],
      ]);
      expect(await page.locator('.headline').textContent()).toBe(headline);
      expect(await phasesOf(page)).toEqual(phases);
      await expectTexts(page.getByRole('alert'), alerts);
      expect(await page.getByRole('progressbar', { name: `Replay ${id}`, exact: true }).count()).toBe(bars);
      await expectTexts(page.locator('main header').getByRole('button'), actions);
    }
  });

  it("show the compared tables, the days and rows that differ, and how the drivers' scores change", async () => {
    const page = await open('#/replays/1');
    const { verification } = await operate.read(showOne, '/replays/1');
    const [table] = verification?.tables ?? [];
    if (!verification || !table?.changes?.change) throw new Error('The replay has changed no score.');
    const { changes, differing_days: days, samples } = table;
    const compared = `Compared at position ${shownInteger(verification.position)}, ${shownTime(verification.compared_at)}.`;
    await page.getByText(compared, { exact: true }).waitFor();
    const result = `${shownInteger(table.differences)} differences, not expected`;
    const sides = [table.live, table.replayed].flatMap(({ generation, version, rows }) => {
      return [`generation ${generation}, version ${version}`, shownInteger(rows)];
    });
    await expectRows(page, 'Verification', [['daily_rollups', result, ...sides]]);
    await expectRows(
      page,
      'Days that differ, live and replayed',
      shownDays(days.map(({ day, live_rows, replayed_rows }) => ({ day, before: live_rows, after: replayed_rows }))),
    );
    const bars = page.getByRole('img', { name: `Differing rows on ${days.length} days: live and replayed` });
    const drawn = bars.locator('rect');
    const heights = await drawn.evaluateAll((all) => all.map((bar) => Number(bar.getAttribute('height'))));
    const rows = days.flatMap(({ live_rows, replayed_rows }) => [live_rows, replayed_rows]);
    expect(heights).toEqual(rows.map((count) => expect.closeTo((60 * count) / Math.max(...rows), 3)));
    await page.getByText(`${samples.length} rows with differences`, { exact: true }).click();
    await expectRows(
      page,
      'Rows of daily_rollups that differ',
      samples.map(({ key, day, live: one, replayed: other }) => [key, day, one ?? '–', other ?? '–']),
    );

    const section = page.locator('section.what-if');
    const share = Math.round((100 * changes.changed) / changes.compared);
    const { change, largest } = changes;
    const sentences = [
      `${changes.changed} of ${changes.compared} scored days change (${share}%).`,
      `They belong to ${changes.changed_drivers} of ${changes.drivers} drivers.`,
      `The mean change is ${signed(change?.mean)} points, the median ${signed(change?.median)},`,
      `and the largest ${change?.largest_size.toFixed(1)}.`,
    ];
    expect(await section.locator('p').first().innerText()).toBe(sentences.join(' '));
    const counts = changes.distribution.map(({ count }) => count);
    const distribution = await readTable(section, 'Changed scores by the size of the change, in points');
    expect(distribution.slice(1).map(([, , count]) => count)).toEqual(counts.map(String));
    const widths = await section
      .locator('rect')
      .evaluateAll((all) =>
        all.map((bar) => bar.getBoundingClientRect().width / (bar.closest('svg')?.clientWidth ?? NaN)),
      );
    expect(widths).toEqual(counts.map((count) => expect.closeTo(count / Math.max(...counts), 1)));
    await expectRows(
      section,
      'Grades that change, by day',
      changes.grade_transitions.map(({ from, to, count }) => [from, to, String(count)]),
    );
    await expectRows(
      section,
      'Drivers whose score changes most in a day',
      largest.map(({ driver_id, fleet_id, date, old_score, new_score, old_grade, new_grade }) => {
        const scores = [old_score?.toFixed(1), new_score?.toFixed(1), signed(Number(new_score) - Number(old_score))];
        return [driver_id, fleet_id, shownDate(date), ...scores, `${old_grade} → ${new_grade}`];
      }),
    );
    expect(await readLinks(section)).toEqual(
      largest.map(({ driver_id, fleet_id, date }) => [driver_id, `#/lineage/${fleet_id}/${driver_id}/${date}`]),
    );
    await go(page, 4);
    expect((await readTable(page, 'Verification'))[1]?.[1]).toBe('equal');
    expect(await page.getByRole('heading', { name: /^Differences of/ }).count()).toBe(0);
  });

  it('show differences that a new version explains, which do not have to be accepted', async () => {
    const page = await open('#/replays/6');
    const { position, compared_at } = (await operate.json('/replays/6')).verification;
    const sentence = `Compared at position ${shownInteger(position)}, ${shownTime(compared_at)}; rows before 2025-01-05 are omitted.`;
    await page.getByText(sentence, { exact: true }).waitFor();
    expect((await readFacts(page)).find(([name]) => name === 'Omits')).toEqual(['Omits', 'rows before 2025-01-05']);
    expect((await readTable(page, 'Verification'))[1]?.[1]).toBe('1 difference, expected from a new version');
    expect(await page.getByRole('table', { name: 'Verification' }).locator('.fault').count()).toBe(0);
    await page.getByText('The table shows the first 0 of 20 days that differ.', { exact: true }).waitFor();
    await button(page, 'Promote').click();
    expect(await inDialog(page, 'Promote').isEnabled()).toBe(true);
    expect(await dialog(page).getByRole('checkbox').count()).toBe(0);
  });

  it('are updated even if each response takes longer than the interval between statuses', async () => {
    const page = await open('#/replays/2');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    const failures: (string | null)[] = [];
    await page.route('**/replays/2', async (route) => {
      // The page requests `/readyz` for every status that it processes.
      for (let statuses = 0; statuses < 2; statuses += 1) await page.waitForResponse('**/readyz');
      failures.push(route.request().failure()?.errorText ?? null);
      // The page may have aborted the request.
      await route.continue().catch(() => {});
    });
    onTestFinished(async () => await page.unrouteAll({ behavior: 'ignoreErrors' }));
    await operate.world.pipeline.owner.query(`UPDATE replay SET error = 'The disk is broken.' WHERE replay_id = 2`);
    await expect.poll(() => failures.length).toBeGreaterThan(0);
    expect(failures[0]).toBeNull();
    await expectTexts(alert, ['The disk is broken.']);
  });

  it('are started with the chosen options', async () => {
    const page = await open('#/replays');
    const { projections } = await operate.json('/status');
    await page.getByRole('heading', { name: 'Running replays' }).waitFor();
    await button(page, 'Start a replay').click();
    const projection = dialog(page).getByLabel('Projection');
    await expectTexts(projection.locator('option'), ['all', ...projections.map(({ name }: { name: string }) => name)]);
    const throttle = dialog(page).getByLabel(/^Throttle/);
    expect([await projection.inputValue(), await throttle.inputValue()]).toEqual(['all', 'auto']);
    const promotes = dialog(page).getByLabel('Promote after verification');
    const accepts = dialog(page).getByLabel('Promote despite differences');
    expect([await promotes.isChecked(), await accepts.count()]).toEqual([false, 0]);
    await promotes.check();
    await accepts.check();
    await projection.selectOption('weekly_rollups');
    await throttle.fill('fast');
    expect(await inDialog(page, 'Start').isDisabled()).toBe(true);
    await throttle.fill('123456');
    await inDialog(page, 'Start').click();
    await page.getByRole('heading', { name: /^Replay \d+$/ }).waitFor();
    expect((await operate.json('/operations')).operations[0]).toMatchObject({
      action: 'replay.start',
      parameters: { projection: 'weekly_rollups', throttle: 123_456, promote: true, accept_differences: true },
    });
    await expect.poll(async () => await page.locator('.headline').textContent()).toBe('promotedlive');
  });

  it('can be throttled, resumed, promoted in advance (but not despite differences), paused and cancelled', async () => {
    const page = await open('#/replays/2');
    const { throttle } = await operate.json('/replays/2');
    await button(page, `Throttle: ${throttle}`).click();
    const field = dialog(page).getByLabel(/^Throttle/);
    expect(await field.inputValue()).toBe(String(throttle));
    await field.fill('0');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await inDialog(page, 'Set the throttle').isDisabled()).toBe(true);
    await field.fill(' 2 ');
    await inDialog(page, 'Set the throttle').click();
    await button(page, 'Throttle: 2').waitFor();
    expect(await operate.json('/replays/2')).toMatchObject({ throttle: 2 });
    const act = async (name: string, action = name) => {
      await button(page, name).click();
      await inDialog(page, action).click();
      await dialog(page).waitFor({ state: 'detached' });
      return (await operate.json('/operations')).operations[0];
    };
    expect(await act('Resume')).toMatchObject({ action: 'replay.resume' });
    expect(await act('Promote')).toMatchObject({
      action: 'replay.promote',
      parameters: { id: 2, accept_differences: false },
    });
    expect(await act('Pause')).toMatchObject({ action: 'replay.pause' });
    expect(await act('Cancel', 'Cancel the replay')).toMatchObject({ action: 'replay.cancel' });
    await page.getByText('cancelled', { exact: true }).first().waitFor({ timeout: 90_000 });
  });

  it('are promoted despite differences only if these are accepted, and then rolled back and dropped', async () => {
    const page = await open('#/replays/1');
    await button(page, 'Promote').click();
    const differences = shownInteger((await operate.json('/replays/1')).verification.differences);
    const accept = `Promote despite unexpected differences in ${differences} rows (no version change explains them)`;
    expect(await inDialog(page, 'Promote').isDisabled()).toBe(true);
    await dialog(page).getByRole('checkbox', { name: accept, exact: true }).check();
    await inDialog(page, 'Promote').click();
    await button(page, 'Roll back').click({ timeout: 90_000 });
    await inDialog(page, 'Roll back').click();
    await page.getByRole('heading', { name: /^Replay [^1]$/ }).waitFor();
    await expect.poll(async () => await page.locator('.headline').textContent()).toBe('promotedlive');
    await go(page, 1);
    await button(page, 'Drop unused generations').click();
    await inDialog(page, 'Drop').click();
    await reaches(1, { phase: 'dropped' });
  });
});
