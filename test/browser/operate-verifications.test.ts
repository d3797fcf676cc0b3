import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { expectDifferingDays } from '../support/console/differing-days.ts';
import { type OperateWorld, openOperate } from '../support/console/operate.ts';
import { readFacts, readLinks, readTable, shownDate, shownInteger, shownTime } from '../support/console/reading.ts';

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

const generationOf = ({ generation, version }: Generation) => `generation ${generation}, version ${version}`;
const signed = (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(1)}`;

describeWithBrowser("Operate's verifications", () => {
  let operate: OperateWorld;
  const ask = async (path: string) => (await operate.ask(path)).json();

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
    for (const [index, projection] of ['daily_rollups', 'fleets', 'drivers'].entries()) {
      await operate.ask('/replays', { method: 'POST', body: { projection, throttle: 'off' } });
      const isWaiting = async () => expect((await ask(`/replays/${index + 1}`)).phase).toBe('waiting');
      await vi.waitFor(isWaiting, { timeout: 120_000, interval: 200 });
    }
    // This is a table of a new version that lacks the oldest rows.
    await owner.query(
      `UPDATE replay SET cutoff = '2025-01-05', verification = verification ||
         '{"cutoff": "2025-01-05", "equal": false, "expected": true, "differences": 1}' WHERE replay_id = 3`,
    );
    await owner.query(
      `UPDATE replay SET verification = jsonb_set(verification, '{tables,0}', verification #> '{tables,0}' ||
         '{"equal": false, "expected": true, "differences": 1, "differing_day_count": 20}') WHERE replay_id = 3`,
    );
  });
  afterAll(async () => await operate?.close());

  it('show the compared tables, the days and the rows that differ', async () => {
    const { page } = await operate.open('#/replays/1');
    const { verification } = await ask('/replays/1');
    const [table] = verification.tables;
    await expect
      .poll(async () => await page.getByRole('heading', { name: 'Differences of daily_rollups', exact: true }).count())
      .toBe(1);
    const compared = `Compared at position ${shownInteger(verification.position)}, ${shownTime(verification.compared_at)}.`;
    await expect.poll(async () => await page.getByText(compared, { exact: true }).count()).toBe(1);
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
    await page.goto(`${operate.origin}/#/replays/2`);
    await expect.poll(async () => (await readTable(page, 'Verification'))[1]?.[1]).toBe('equal');
    expect(await page.getByRole('table', { name: 'Verification' }).locator('.fault').count()).toBe(0);
    expect(await page.getByRole('heading', { name: /^Differences of/ }).count()).toBe(0);
  });

  it('show differences that a new version explains, which need no consent', async () => {
    const { page } = await operate.open('#/replays');
    const verified = async () => (await readTable(page, 'Replays')).slice(1).map((row) => row[3]);
    const differences = shownInteger((await ask('/replays/1')).verification.differences);
    await expect.poll(verified).toEqual(['1 difference, expected', 'equal', `${differences} differences`]);
    await page.goto(`${operate.origin}/#/replays/3`);
    const { position, compared_at } = (await ask('/replays/3')).verification;
    const sentence = `Compared at position ${shownInteger(position)}, ${shownTime(compared_at)}; rows before 2025-01-05 are omitted.`;
    await expect.poll(async () => await page.getByText(sentence, { exact: true }).count()).toBe(1);
    expect((await readFacts(page)).find(([name]) => name === 'Omits')).toEqual(['Omits', 'rows before 2025-01-05']);
    expect((await readTable(page, 'Verification'))[1]?.[1]).toBe('1 difference, expected from a new version');
    expect(await page.getByRole('table', { name: 'Verification' }).locator('.fault').count()).toBe(0);
    await expectDifferingDays(page, 'Differences of drivers', { days: [], before: 'live', after: 'replayed' });
    await expect
      .poll(
        async () =>
          await page.getByText('The table shows the first 0 of 20 days that differ.', { exact: true }).count(),
      )
      .toBe(1);
    expect(await page.locator('.what-if, details:not(.requests)').count()).toBe(0);
    await page.getByRole('button', { name: 'Promote', exact: true }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Promote', exact: true }).isEnabled()).toBe(true);
    expect(await dialog.getByRole('checkbox').count()).toBe(0);
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
});
