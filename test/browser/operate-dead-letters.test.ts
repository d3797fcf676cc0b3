import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { type OperateWorld, openOperate } from '../support/console/operate.ts';
import { readFacts, readLinks, readTable, shownInteger, shownTime } from '../support/console/reading.ts';
import { deliver } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';

const MANY = 195;
const PADDING = 30_000;
const CHUNK_BYTES = 262_144;

interface Letter {
  id: number;
  received_at: string;
  topic: string;
  partition: number;
  offset: number;
  reason: string;
  message: string;
  resolution: string | null;
}

const list = (page: Page) => page.getByRole('table', { name: 'Dead letters', exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const buttonsOf = async (page: Page) => await page.locator('main header').getByRole('button').allInnerTexts();
const pagers = async (page: Page) => await page.locator('section > .actions').getByRole('button').allInnerTexts();
const filters = (page: Page) => page.getByRole('form', { name: 'Filters' });
const hashOf = (page: Page) => new URL(page.url()).hash;
const record = (page: Page) => page.getByRole('region', { name: 'The record as text' });
const bytes = (page: Page) => page.getByRole('region', { name: 'The record as bytes' });
const words = (text: string) => text.replaceAll('_', ' ');

function rowOf({ id, received_at, topic, partition, offset, reason, message, resolution }: Letter): string[] {
  const origin = `${topic}/${partition} at ${shownInteger(offset)}`;
  return [String(id), '', shownTime(received_at), origin, words(reason), message, resolution ?? 'open'];
}

/** A record whose invalid field is far from both its beginning and its end. */
const LONG = {
  before: 'x'.repeat(PADDING),
  ...tripProcessed({ fleet_id: 'south' }),
  distance_miles: 'far',
  after: 'é'.repeat(PADDING),
};
const HUGE = { ...tripProcessed(), distance_miles: 'far', after: 'é'.repeat(CHUNK_BYTES) };

describeWithBrowser("Operate's dead letters", () => {
  let operate: OperateWorld;
  const ask = async (path: string) => (await operate.ask(path)).json();
  const letters = async (query = ''): Promise<Letter[]> => (await ask(`/dead-letters${query}`)).dead_letters;
  const idOf = async (query: string) => (await letters(query))[0]?.id ?? 0;

  beforeAll(async () => {
    operate = await openOperate();
    const { ingest } = operate.world.pipeline;
    const trip = tripProcessed();
    const south = [{ ...trip, events: trip.events.map((event) => ({ ...event, event_type: 'x' })) }, LONG, HUGE];
    await deliver(ingest, south, 'south.trips');
    const many = Array.from({ length: MANY }, (_, index) => `{"broken": ${index}`);
    await deliver(ingest, many, 'many.trips');
    // The offset has more than three digits.
    await deliver(ingest, ['{"late"'], 'milepost.trips');
  });
  afterAll(async () => await operate?.close());

  it('list all columns of each page, and forget the chosen ones when the page changes', async () => {
    const { page } = await operate.open('#/dead-letters');
    const shown = async () => (await readTable(page, 'Dead letters')).slice(1);
    const all = await letters('?limit=1000');
    expect(all.length).toBeGreaterThan(200);
    const pages = [all.slice(0, 100), all.slice(100, 200), all.slice(200)];
    await expect.poll(shown).toEqual(pages[0]?.map(rowOf));
    const titles = 'Dead letter, Choose, Received, Source, Reason, Fault, Settled';
    expect((await readTable(page, 'Dead letters'))[0]?.join(', ')).toBe(titles);
    expect((await shown())[0]?.[3]).toMatch(/^milepost\.trips\/0 at 1,\d{3}$/);
    expect((await readLinks(list(page)))[1]).toEqual([String(all[1]?.id), `#/dead-letters/${all[1]?.id}`]);
    expect(await pagers(page)).toEqual(['Older']);
    await page.getByRole('checkbox', { name: `Choose dead letter ${all[0]?.id}`, exact: true }).check();
    expect(await buttonsOf(page)).toEqual(['Retry', 'Discard']);
    await button(page, 'Older').click();
    await expect.poll(shown).toEqual(pages[1]?.map(rowOf));
    expect(await buttonsOf(page)).toEqual(['Retry all', 'Discard all']);
    expect(await pagers(page)).toEqual(['Newer', 'Older']);
    await button(page, 'Older').click();
    await expect.poll(shown).toEqual(pages[2]?.map(rowOf));
    expect(await pagers(page)).toEqual(['Newer']);
    await button(page, 'Newer').click();
    await expect.poll(shown).toEqual(pages[1]?.map(rowOf));
    await button(page, 'Newer').click();
    await expect.poll(shown).toEqual(pages[0]?.map(rowOf));
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    expect(await pagers(page)).toEqual(['Older']);
  });

  it('are grouped by fault, and each group links to its dead letters', async () => {
    const { page } = await operate.open('#/dead-letters?source=south.trips');
    const { groups } = await ask('/dead-letters/summary?source=south.trips');
    const caption = 'Dead letters by fault';
    await page.getByRole('table', { name: caption, exact: true }).waitFor();
    const newest = shownTime(groups[0].last_received_at);
    expect(await readTable(page, caption)).toEqual([
      ['Reason', 'Field', 'Open', 'Newest'],
      ['invalid field', '/distance_miles', '2', newest],
      ['invalid field', '/events/*/event_type', '1', newest],
    ]);
    await page.getByRole('heading', { name: '3 open, by fault', exact: true }).waitFor();
    const target = (field: string) =>
      `#/dead-letters?reason=invalid_field&source=south.trips&field=${encodeURIComponent(field)}`;
    const links = page.getByRole('region', { name: caption });
    expect(await readLinks(links)).toEqual([
      ['invalid field', target('/distance_miles')],
      ['invalid field', target('/events')],
    ]);
    await links.getByRole('link').last().click();
    await expect.poll(async () => await list(page).getByRole('row').count()).toBe(2);
    expect((await readTable(page, 'Dead letters'))[1]?.[5]).toContain('The field /events/0/event_type');
    // A fault of the whole record has no field.
    await page.goto(`${operate.origin}/#/dead-letters?reason=null_value`);
    await expect
      .poll(async () => (await readTable(page, caption))[1]?.slice(0, 3))
      .toEqual(['null value', 'the record', '1']);
    expect(await readLinks(links)).toEqual([['null value', '#/dead-letters?reason=null_value']]);
  });

  it('are filtered by each field of the form, until it is cleared', async () => {
    const { page } = await operate.open('#/dead-letters');
    await filters(page).getByLabel('Reason').fill(' invalid field ');
    await filters(page).getByLabel('Topic or file').fill('south.trips');
    await filters(page).getByLabel('Invalid field').fill('/distance_miles');
    await filters(page).getByLabel('Fleet').fill('south');
    await filters(page).getByLabel('Include settled').check();
    await filters(page).getByRole('button', { name: 'Filter' }).click();
    const query = 'reason=invalid_field&source=south.trips&field=%2Fdistance_miles&fleet_id=south';
    await expect.poll(() => hashOf(page)).toBe(`#/dead-letters?${query}&all=true`);
    const found = await letters(`?${query}`);
    await expect.poll(async () => (await readTable(page, 'Dead letters')).slice(1)).toEqual(found.map(rowOf));
    const values = () =>
      filters(page)
        .getByRole('textbox')
        .evaluateAll((fields) => fields.map((field) => 'value' in field && field.value));
    expect(await values()).toEqual(['invalid_field', 'south.trips', '/distance_miles', 'south']);
    expect(await filters(page).getByLabel('Include settled').isChecked()).toBe(true);
    await filters(page).getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => hashOf(page)).toBe('#/dead-letters');
    expect(await values()).toEqual(['', '', '', '']);
    expect(await filters(page).getByLabel('Include settled').isChecked()).toBe(false);
    for (const [hash, sentence] of [
      ['reason=revision_conflict', 'No open dead letter matches the filter.'],
      ['reason=revision_conflict&all=true', 'No dead letter matches the filter.'],
    ]) {
      await page.goto(`${operate.origin}/#/dead-letters?${hash}`);
      await page.getByText(sentence ?? '', { exact: true }).waitFor();
      expect([await buttonsOf(page), await page.getByRole('table').count()]).toEqual([[], 0]);
    }
  });

  it('name the chosen ones in the question, and are settled only when a reason and their number are typed', async () => {
    const { page } = await operate.open('#/dead-letters?source=many.trips');
    const [one = 0, two = 0, three = 0] = (await letters('?source=many.trips')).map(({ id }) => id);
    const box = (id: number) => page.getByRole('checkbox', { name: `Choose dead letter ${id}`, exact: true });
    const titles: string[] = [];
    const see = async (name: string) => {
      await button(page, name).click();
      const dialog = page.getByRole('dialog');
      titles.push(await dialog.getByRole('heading').innerText());
      const typed = (await dialog.locator('code').allInnerTexts()).join();
      if (typed !== '') titles.push(typed);
      await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await box(one).waitFor();
    await see('Retry all');
    await see('Discard all');
    await box(one).check();
    await see('Retry');
    await see('Discard');
    await box(two).check();
    await box(three).check();
    await box(one).click();
    await expect.poll(async () => await box(one).isChecked()).toBe(false);
    await see('Retry');
    await see('Discard');
    expect(titles).toEqual([
      `Retry all ${MANY} open dead letters that match`,
      `Discard all ${MANY} open dead letters that match`,
      String(MANY),
      `Retry dead letter ${one}`,
      `Discard dead letter ${one}`,
      String(one),
      'Retry 2 dead letters',
      'Discard 2 dead letters',
      '2',
    ]);
    await button(page, 'Discard').click();
    const dialog = page.getByRole('dialog');
    const discard = dialog.getByRole('button', { name: 'Discard', exact: true });
    for (const [reason, typed, isReady] of [
      ['noise', '', false],
      ['  ', '2', false],
      ['noise', '22', false],
      [' noise ', '2', true],
    ] as const) {
      await dialog.getByLabel('Reason').fill(reason);
      await dialog.getByRole('textbox').last().fill(typed);
      expect(await discard.isEnabled(), `${reason}, ${typed}`).toBe(isReady);
    }
    await discard.click();
    await page.getByText('2 dead letters discarded, 0 not open.', { exact: true }).waitFor();
    await box(two).waitFor({ state: 'detached' });
    await expect.poll(async () => await buttonsOf(page)).toEqual(['Retry all', 'Discard all']);
    await page.goto(`${operate.origin}/#/dead-letters?source=many.trips&all=true`);
    const settled = (await letters('?source=many.trips&all=true')).map(rowOf).slice(0, 100);
    expect(settled.slice(0, 4).map((row) => row.at(-1))).toEqual(['open', 'discarded', 'discarded', 'open']);
    await expect.poll(async () => (await readTable(page, 'Dead letters')).slice(1)).toEqual(settled);
    expect([await box(one).count(), await box(two).count(), await box(three).count()]).toEqual([1, 0, 0]);
    expect(await ask(`/dead-letters/${three}`)).toMatchObject({ resolution: 'discarded', note: 'noise' });
  });

  it('show their facts and their whole record, or why it is missing', async () => {
    const { page } = await operate.open(`#/dead-letters/${await idOf('?reason=null_value')}`);
    const open = async (id: number, ready: RegExp) => {
      await page.goto(`${operate.origin}/#/dead-letters/${id}`);
      await page.getByText(ready).waitFor();
    };
    await page.getByText(/There are no bytes/).waitFor();
    const [empty] = await letters('?reason=null_value');
    expect(await readFacts(page)).toEqual([
      ['Reason', 'null value'],
      ['Field', 'the whole record'],
      ['Source', 'milepost.trips, partition 0, offset 10'],
      ['Received', shownTime(empty?.received_at ?? null)],
      ['Settled', 'open'],
    ]);
    expect(await page.locator('.headline').innerText()).toBe(empty?.message);
    expect(await page.getByRole('heading', { name: /^The record/ }).count()).toBe(0);
    await open(await idOf('?reason=invalid_utf8'), /The record, 4 bytes/);
    expect(await record(page).innerText()).toBe('{\ufffd\ufffd}');
    await button(page, 'Hexadecimal').click();
    expect(await bytes(page).locator('pre > div').allInnerTexts()).toEqual(['000000 7b ff fe 7d {..}']);
    const id = await idOf('?field=/driver_id');
    await open(id, /The record, 1,\d+ bytes/);
    expect((await readFacts(page))[1]).toEqual(['Field', '/driver_id']);
    expect(await page.locator('mark').allInnerTexts()).toEqual(['"driver_id":""']);
    expect(await page.getByText(/^(Characters|Bytes) /).count()).toBe(0);
    await operate.ask('/dead-letters/discard', { method: 'POST', body: { ids: [id], note: 'not ours' } });
    await page.reload();
    await page.getByText(/^discarded/).waitFor();
    const settled = await ask(`/dead-letters/${id}`);
    expect((await readFacts(page)).slice(-2)).toEqual([
      ['Settled', `discarded, ${shownTime(settled.resolved_at)}`],
      ['Note', 'not ours'],
    ]);
    expect(await buttonsOf(page)).toEqual([]);
  });

  it('show the part of a long record around its fault, as text and as bytes', async () => {
    const [huge, long] = (await letters('?source=south.trips&field=/distance_miles')).map(({ id }) => id);
    const { page } = await operate.open(`#/dead-letters/${long}`);
    const text = JSON.stringify(LONG);
    const fault = text.indexOf('"distance_miles"');
    const [from, to] = [fault - 5_000, fault + 15_000];
    await record(page).waitFor();
    expect(await record(page).locator('pre').textContent()).toBe(`… ${text.slice(from, to)} …`);
    expect(await record(page).locator('mark').allInnerTexts()).toEqual(['"distance_miles":"far"']);
    await page
      .getByText(`Characters ${shownInteger(from + 1)} to ${shownInteger(to)} of ${shownInteger(text.length)}.`, {
        exact: true,
      })
      .waitFor();
    const raw = Buffer.from(text);
    await page.getByRole('heading', { name: `The record, ${shownInteger(raw.length)} bytes`, exact: true }).waitFor();
    const pressed = async () => await page.getByRole('button', { pressed: true }).allInnerTexts();
    expect(await pressed()).toEqual(['Text']);
    await button(page, 'Hexadecimal').click();
    expect(await pressed()).toEqual(['Hexadecimal']);
    const first = 16 * (Math.floor(fault / 16) - 64);
    const lines = await bytes(page).locator('pre > div').allInnerTexts();
    expect(lines).toHaveLength(256);
    const line = raw.subarray(first, first + 16);
    const hex = [...line].map((byte) => byte.toString(16)).join(' ');
    expect(lines[0]).toBe(`${first.toString(16).padStart(6, '0')} ${hex} ${line.toString()}`);
    const marks = (await bytes(page).locator('mark').allInnerTexts()).join('');
    expect(Buffer.from(marks, 'hex').toString()).toBe('"distance_miles":"far"');
    await page
      .getByText(`Bytes ${shownInteger(first + 1)} to ${shownInteger(first + 4_096)} of ${shownInteger(raw.length)}.`, {
        exact: true,
      })
      .waitFor();
    await button(page, 'Text').click();
    await record(page).waitFor();
    await page.goto(`${operate.origin}/#/dead-letters/${huge}`);
    const size = shownInteger(Buffer.byteLength(JSON.stringify(HUGE)));
    await page.getByRole('heading', { name: `The record, the first 262,144 of ${size} bytes`, exact: true }).waitFor();
    expect(await record(page).locator('pre').textContent()).toMatch(/^\{"kind".* …$/);
    await page.getByText(/^Characters 1 to 20,000 of \d{3},\d{3}\.$/).waitFor();
  });
});
