import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { expectDifferingDays } from '../support/console/differing-days.ts';
import { type OperateWorld, openOperate } from '../support/console/operate.ts';
import { readFacts, readLinks, readTable, shownDate, shownInteger, shownTime } from '../support/console/reading.ts';

const WAIT = { timeout: 30_000 };
const LONG_WAIT = { timeout: 120_000, interval: 200 };
const BUILDING = ['filling', 'indexing', 'catching up', 'verifying', 'waiting', 'promoting', 'promoted'];

interface Listed {
  id: number;
  created_at: string;
  finished_at: string | null;
}

interface Generation {
  rows: number;
  version: number;
  generation: number;
}

interface Sample {
  key: string;
  day: string;
  live: string | null;
  replayed: string | null;
}

interface Changed {
  driver_id: string;
  fleet_id: string;
  date: string;
  old_score: number;
  new_score: number;
  old_grade: string;
  new_grade: string;
}

interface Bucket {
  direction: string;
  at_least: number;
  below: number | null;
  count: number;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const generationOf = ({ generation, version }: Generation) => `generation ${generation}, version ${version}`;
const signed = (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(1)}`;

/** The phases that a page lists: those before the current one, the current one, and those after it. */
async function phasesOf(page: Page): Promise<string[][]> {
  const phases = page.getByRole('list', { name: 'Phases' });
  const past = await phases.locator('.past').allInnerTexts();
  const current = await phases.locator('[aria-current=step]').allInnerTexts();
  const all = await phases.getByRole('listitem').allInnerTexts();
  return [past, current, all.slice(past.length + current.length)];
}

describeWithBrowser("Operate's replays", () => {
  let operate: OperateWorld;
  const ask = async (path: string) => (await operate.ask(path)).json();
  const send = async (path: string, body?: object) => {
    const { statusCode, body: answer } = await operate.ask(path, { method: 'POST', ...(body ? { body } : {}) });
    if (statusCode >= 300) throw new Error(`${path}: ${answer}`);
  };
  const reaches = async (id: number, state: object) =>
    await vi.waitFor(async () => expect(await ask(`/replays/${id}`)).toMatchObject(state), LONG_WAIT);

  beforeAll(async () => {
    operate = await openOperate();
    const { owner } = operate.world.pipeline;
    const spoil = async (change: string, where: string) =>
      await owner.query(`UPDATE daily_rollups SET ${change} WHERE ${where}`);
    const replaced = (field: string, value: string) =>
      `summary = regexp_replace(summary, '"${field}":[^,]+', '"${field}":${value}')`;
    const recent = 'date > CURRENT_DATE - 6';
    await spoil(replaced('fm_score', '40'), `driver_id = 'driver-00001' AND ${recent}`);
    await spoil(replaced('fm_score', '100'), `driver_id = 'driver-00008' AND ${recent}`);
    await spoil(replaced('fm_grade', '"poor"'), `driver_id = 'driver-00001' AND ${recent}`);
    await spoil('date = date - 400', `driver_id = 'driver-1'`);
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
    await send('/replays/4/drop');
    await reaches(4, { phase: 'dropped' });
  });
  afterAll(async () => await operate?.close());

  it('are listed with their state, verification and times, and those that have not ended first', async () => {
    const { page } = await operate.open('#/replays');
    const replays = (await ask('/replays')).replays.slice(-5);
    const differences = shownInteger(replays[4].verification.differences);
    const states = [
      ['5 (roll back)', 'fleets', 'promotedlive', '–'],
      ['4', 'fleets', 'dropped', 'equal'],
      ['3', 'drivers', 'cancelled', '–'],
      ['2', 'trips', 'filling, failed', '–'],
      ['1', 'daily_rollups', 'waiting', `${differences} differences`],
    ];
    await page.getByRole('table', { name: 'Replays' }).waitFor();
    const [titles, ...rows] = await readTable(page, 'Replays');
    expect(titles).toEqual(['Replay', 'Projection', 'State', 'Verification', 'Requested by', 'Started', 'Ended']);
    expect(rows.slice(-5)).toEqual([
      ...replays.map(({ created_at, finished_at }: Listed, index: number) => [
        ...(states[index] ?? []),
        'ops-token',
        shownTime(created_at),
        shownTime(finished_at),
      ]),
    ]);
    expect((await readLinks(page.getByRole('region', { name: 'Replays' }))).map(([, href]) => href).slice(-5)).toEqual(
      [5, 4, 3, 2, 1].map((id) => `#/replays/${id}`),
    );
    const cards = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Running replays' }) });
    const failed = await ask('/replays/2');
    const waiting = shownInteger(replays[4].position);
    await expect
      .poll(async () => await cards.locator('p').allInnerTexts(), WAIT)
      .toEqual([
        'Replay 2 of trips: filling, failed',
        'The disk is full.',
        `${shownInteger(failed.position)} of ${shownInteger(failed.target)}`,
        'Replay 1 of daily_rollups: waiting',
        `${waiting} of ${waiting}`,
      ]);
    expect(await readLinks(cards)).toEqual([
      ['Replay 2', '#/replays/2'],
      ['Replay 1', '#/replays/1'],
    ]);
    expect(await page.getByText(/^The list shows the newest/).count()).toBe(0);
  });

  it('show their facts and phases, and the actions of their state', async () => {
    const { page } = await operate.open('#/replays/1');
    const seen: unknown[] = [];
    for (const id of [1, 2, 3, 4, 5]) {
      await page.goto(`${operate.origin}/#/replays/${id}`);
      await page.getByRole('heading', { name: `Replay ${id}`, exact: true }).waitFor();
      await page.locator('dl.facts').waitFor();
      const replay = await ask(`/replays/${id}`);
      const [{ projection, generation, version, checkpoint }] = replay.generations;
      expect(await readFacts(page)).toEqual([
        ['Projection', replay.projection],
        ['Kind', id === 5 ? 'roll back' : 'build'],
        ['Requested by', 'ops-token'],
        ['Started', shownTime(replay.created_at)],
        ['Ended', shownTime(replay.finished_at)],
        ['Promotion', id < 4 ? 'on request' : 'automatic after verification'],
        ['Generations', `${projection} ${generation} (version ${version}, position ${shownInteger(checkpoint)})`],
      ]);
      seen.push({
        headline: (await page.locator('.headline').textContent()) ?? '',
        phases: await phasesOf(page),
        alert: await page.getByRole('alert').allInnerTexts(),
        hasProgress: (await page.getByRole('progressbar', { name: `Replay ${id}`, exact: true }).count()) === 1,
        actions: await page.locator('main header').getByRole('button').allInnerTexts(),
      });
    }
    const { throttle } = await ask('/replays/2');
    const ended = { alert: [], hasProgress: false, actions: [] };
    expect(seen).toEqual([
      {
        headline: 'waiting',
        phases: [BUILDING.slice(0, 4), ['waiting'], ['promoting', 'promoted']],
        alert: [],
        hasProgress: true,
        actions: ['Promote', 'Drop'],
      },
      {
        headline: 'filling, failed',
        phases: [[], ['filling'], BUILDING.slice(1)],
        alert: ['The disk is full.'],
        hasProgress: true,
        actions: ['Resume', `Throttle: ${throttle}`, 'Cancel'],
      },
      { ...ended, headline: 'cancelled', phases: [['cancelling'], ['cancelled'], []] },
      { ...ended, headline: 'dropped', phases: [['dropping'], ['dropped'], []] },
      {
        ...ended,
        headline: 'promotedlive',
        phases: [['catching up', 'promoting'], ['promoted'], []],
        actions: ['Roll back', 'Drop unused generations'],
      },
    ]);
    await page.goto(`${operate.origin}/#/replays/2`);
    const { position, target } = await ask('/replays/2');
    const bar = page.getByRole('progressbar', { name: 'Replay 2', exact: true });
    await bar.waitFor();
    expect([await bar.getAttribute('value'), await bar.getAttribute('max')]).toEqual([
      String(position),
      String(target),
    ]);
  });

  it('explain each action before it is confirmed', async () => {
    const { page } = await operate.open('#/replays/1');
    const see = async (name: string) => {
      await button(page, name).click();
      const explanation = (await dialog(page).locator('p').allInnerTexts()).join(' ');
      const title = await dialog(page).getByRole('heading').innerText();
      const buttons = await dialog(page).getByRole('button').allInnerTexts();
      await dialog(page).getByRole('button').last().click();
      await dialog(page).waitFor({ state: 'detached' });
      return [title, buttons.join(', '), explanation];
    };
    expect([await see('Promote'), await see('Drop')]).toEqual([
      [
        'Promote replay 1',
        'Promote, Cancel',
        expect.stringMatching(/^It makes the generations of the replay live\. The/),
      ],
      [
        'Drop replay 1',
        'Drop, Cancel',
        'The replay ends without a promotion, and its generations are dropped. The live read tables do not change. A replay can build read tables again at any time.',
      ],
    ]);
    await button(page, 'Promote').click();
    const differences = shownInteger((await ask('/replays/1')).verification.differences);
    const accept = `Promote despite ${differences} rows with differences that no version change explains`;
    await dialog(page).getByRole('checkbox', { name: accept, exact: true }).check();
    const promote = dialog(page).getByRole('button', { name: 'Promote', exact: true });
    expect(await promote.isEnabled()).toBe(true);
    await dialog(page).getByRole('checkbox').uncheck();
    expect(await promote.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.goto(`${operate.origin}/#/replays/2`);
    const { throttle } = await ask('/replays/2');
    expect([await see('Resume'), await see(`Throttle: ${throttle}`), await see('Cancel')]).toEqual([
      [
        'Resume replay 2',
        'Resume, Cancel',
        'The replay continues where it stopped. It fails again unless the cause is fixed.',
      ],
      ['Throttle replay 2', 'Set the throttle, Cancel', expect.stringMatching(/^auto slows the replay down/)],
      ['Cancel replay 2', 'Cancel the replay, Keep the replay', expect.stringMatching(/^The replay ends and/)],
    ]);
    await button(page, `Throttle: ${throttle}`).click();
    const field = dialog(page).getByLabel(/^Throttle/);
    expect(await field.inputValue()).toBe(String(throttle));
    await field.fill('0');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await dialog(page).getByRole('button', { name: 'Set the throttle' }).isDisabled()).toBe(true);
    await field.fill(' off ');
    expect(await field.getAttribute('aria-invalid')).toBe('false');
    await dialog(page).getByRole('button', { name: 'Set the throttle' }).click();
    await button(page, 'Throttle: off').waitFor();
    expect(await ask('/replays/2')).toMatchObject({ throttle: 'off' });
    await page.goto(`${operate.origin}/#/replays/5`);
    expect([await see('Roll back'), await see('Drop unused generations')]).toEqual([
      ['Roll fleets back', 'Roll back, Cancel', expect.stringMatching(/^The generation that this promotion replaced/)],
      [
        'Drop unused generations of replay 5',
        'Drop, Cancel',
        'It drops the generations of this replay that are not live. After that, this promotion cannot be rolled back. A replay can build read tables again at any time.',
      ],
    ]);
  });

  it('show the compared tables, the days and the rows that differ', async () => {
    const { page } = await operate.open('#/replays/1');
    const { verification } = await ask('/replays/1');
    const [table] = verification.tables;
    await page.getByRole('heading', { name: 'Differences of daily_rollups', exact: true }).waitFor();
    const compared = `Compared at position ${shownInteger(verification.position)}, ${shownTime(verification.compared_at)}.`;
    await page.getByText(compared, { exact: true }).waitFor();
    const result = `${shownInteger(table.differences)} differences, not expected`;
    expect(await readTable(page, 'Verification')).toEqual([
      ['Projection', 'Result', 'Live', 'Rows', 'Replayed', 'Rows'],
      [
        'daily_rollups',
        result,
        generationOf(table.live),
        shownInteger(table.live.rows),
        generationOf(table.replayed),
        shownInteger(table.replayed.rows),
      ],
    ]);
    expect(await page.getByRole('table', { name: 'Verification' }).locator('.fault').allInnerTexts()).toEqual([result]);
    await expectDifferingDays(page, 'Differences of daily_rollups', {
      days: table.differing_days.map((each: { day: string; live_rows: number; replayed_rows: number }) => ({
        day: each.day,
        before: each.live_rows,
        after: each.replayed_rows,
      })),
      before: 'live',
      after: 'replayed',
    });
    expect(await page.getByText(/^The table shows the first/).count()).toBe(0);
    const samples: Sample[] = table.samples;
    expect(samples.map(({ live }) => live)).toContain(null);
    expect(samples.map(({ replayed }) => replayed)).toContain(null);
    await page.getByText(`${samples.length} rows with differences`, { exact: true }).click();
    expect(await readTable(page, 'Rows of daily_rollups that differ')).toEqual([
      ['Row', 'Day', 'Live', 'Replayed'],
      ...samples.map(({ key, day, live, replayed }) => [key, day, live ?? '–', replayed ?? '–']),
    ]);
    await page.goto(`${operate.origin}/#/replays/4`);
    await expect.poll(async () => (await readTable(page, 'Verification'))[1]?.[1], WAIT).toBe('equal');
    expect(await page.getByRole('table', { name: 'Verification' }).locator('.fault').count()).toBe(0);
    expect(await page.getByRole('heading', { name: /^Differences of/ }).count()).toBe(0);
  });

  it('show how the scores of drivers change', async () => {
    const { page } = await operate.open('#/replays/1');
    const { changes } = (await ask('/replays/1')).verification.tables[0];
    const section = page.locator('section.what-if');
    await section.waitFor();
    const share = Math.round((100 * changes.changed) / changes.compared);
    const { mean, median, largest_size } = changes.change;
    expect(await section.locator('p').first().innerText()).toBe(
      `${changes.changed} of ${changes.compared} scored days change (${share} %). They belong to ${changes.changed_drivers} of ${changes.drivers} drivers. The mean change is ${signed(mean)} points, the median ${signed(median)}, the largest ${largest_size.toFixed(1)}.`,
    );
    const distribution: Bucket[] = changes.distribution;
    const sign = ({ direction }: Bucket) => (direction === 'fall' ? '−' : '+');
    expect(await readTable(section, 'Changed scores by the size of the change, in points')).toEqual([
      ['Points', 'Share', 'Scores'],
      ...distribution.map((bucket) => [
        bucket.below === null
          ? `${sign(bucket)}${bucket.at_least} or more`
          : `${sign(bucket)}${bucket.at_least} to ${sign(bucket)}${bucket.below}`,
        '',
        String(bucket.count),
      ]),
    ]);
    expect(
      await section.locator('rect').evaluateAll((rects) => rects.map((rect) => rect.getAttribute('class'))),
    ).toEqual(distribution.map(({ direction }) => direction));
    const transitions: { from: string; to: string; count: number }[] = changes.grade_transitions;
    expect(transitions.length).toBeGreaterThan(0);
    expect(await readTable(section, 'Grades that change, by day')).toEqual([
      ['Old grade', 'New grade', 'Scores'],
      ...transitions.map(({ from, to, count }) => [from, to, String(count)]),
    ]);
    const largest: Changed[] = changes.largest;
    const directions = new Set(largest.map(({ old_score, new_score }) => Math.sign(new_score - old_score)));
    expect(directions).toEqual(new Set([1, -1]));
    expect(await readTable(section, 'Drivers whose score changes most in a day')).toEqual([
      ['Driver', 'Fleet', 'Date', 'Old score', 'New score', 'Change', 'Grade'],
      ...largest.map(({ driver_id, fleet_id, date, old_score, new_score, old_grade, new_grade }) => [
        driver_id,
        fleet_id,
        shownDate(date),
        old_score.toFixed(1),
        new_score.toFixed(1),
        signed(new_score - old_score),
        `${old_grade} → ${new_grade}`,
      ]),
    ]);
    expect(await readLinks(section)).toEqual(
      largest.map(({ driver_id, fleet_id, date }) => [driver_id, `#/lineage/${fleet_id}/${driver_id}/${date}`]),
    );
  });

  it('are started with the chosen options', async () => {
    const { page } = await operate.open('#/replays');
    const { projections } = await ask('/status');
    await page.getByRole('heading', { name: 'Running replays' }).waitFor();
    await button(page, 'Start a replay').click();
    const projection = dialog(page).getByLabel('Projection');
    expect(await projection.locator('option').allInnerTexts()).toEqual([
      'all',
      ...projections.map(({ name }: { name: string }) => name),
    ]);
    expect(await projection.inputValue()).toBe('all');
    const throttle = dialog(page).getByLabel(/^Throttle/);
    expect(await throttle.inputValue()).toBe('auto');
    const promotes = dialog(page).getByLabel('Promote after verification');
    const accepts = dialog(page).getByLabel('Promote despite differences');
    expect([await promotes.isChecked(), await accepts.count()]).toEqual([false, 0]);
    await promotes.check();
    await accepts.check();
    await promotes.uncheck();
    await expect.poll(async () => await accepts.count(), WAIT).toBe(0);
    await promotes.check();
    expect(await accepts.isChecked()).toBe(true);
    await projection.selectOption('weekly_rollups');
    await throttle.fill('123456');
    await dialog(page).getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('heading', { name: /^Replay \d+$/ }).waitFor();
    const id = Number(new URL(page.url()).hash.replace('#/replays/', ''));
    expect((await ask('/operations')).operations[0]).toMatchObject({
      action: 'replay.start',
      parameters: { projection: 'weekly_rollups', throttle: 123_456, promote: true, accept_differences: true },
    });
    await expect
      .poll(async () => await page.locator('.headline').textContent(), { timeout: 90_000 })
      .toBe('promotedlive');
    expect(await ask(`/replays/${id}`)).toMatchObject({ projection: 'weekly_rollups', phase: 'promoted' });
  });
});
