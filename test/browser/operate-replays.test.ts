import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { type OperateWorld, openOperate } from '../support/console/operate.ts';
import { readFacts, readLinks, readTable, shownInteger, shownTime } from '../support/console/reading.ts';

const LONG_WAIT = { timeout: 120_000, interval: 200 };
const BUILDING = ['filling', 'indexing', 'catching up', 'verifying', 'waiting', 'promoting', 'promoted'];

interface Listed {
  id: number;
  created_at: string;
  finished_at: string | null;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

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
    await operate.spoilScores();
    await send('/replays', { projection: 'daily_rollups', throttle: 'off' });
    await reaches(1, { phase: 'waiting' });
    await send('/replays', { projection: 'trips', throttle: 1 });
    await send('/replays/2/pause');
    await reaches(2, { halted: 'paused', running: false });
    await operate.world.pipeline.owner.query(
      `UPDATE replay SET halted = 'failed', error = 'The disk is full.' WHERE replay_id = 2`,
    );
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
      .poll(async () => await cards.locator('p').allInnerTexts())
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

  it('are updated although each answer takes longer than the interval of the status', async () => {
    const { page } = await operate.open('#/replays/2');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    const failures: (string | null)[] = [];
    await page.route('**/replays/2', async (route) => {
      // The page requests the health with every status that it processes.
      for (let statuses = 0; statuses < 2; statuses += 1) await page.waitForResponse('**/readyz');
      failures.push(route.request().failure()?.errorText ?? null);
      // The page may have aborted the request.
      await route.continue().catch(() => {});
    });
    onTestFinished(async () => await page.unrouteAll({ behavior: 'ignoreErrors' }));
    await operate.world.pipeline.owner.query(`UPDATE replay SET error = 'The disk is broken.' WHERE replay_id = 2`);
    await expect.poll(() => failures.length).toBeGreaterThan(0);
    expect(failures[0]).toBeNull();
    await expect.poll(async () => await alert.allInnerTexts()).toEqual(['The disk is broken.']);
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
    await expect.poll(async () => await accepts.count()).toBe(0);
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
