import { listDeadLetters } from '@milepost/operations/dead-letters';
import type { Page } from 'playwright-core';
import type { Static } from 'typebox';
import { expect } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import {
  button,
  expectRows,
  expectTexts,
  hashOf,
  readFacts,
  readLinks,
  readTable,
} from '../support/console/contents.ts';
import { it, type OperateWorld } from '../support/console/operate.ts';
import { shownInteger, shownTime } from '../support/console/shown.ts';
import { deliver } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';

const MANY = 195;
const PADDING = 30_000;
const CHUNK_BYTES = 262_144;

type Letter = Static<typeof listDeadLetters.answer>['dead_letters'][number];

const list = (page: Page) => page.getByRole('table', { name: 'Dead letters', exact: true });
const buttonsOf = async (page: Page) => await page.locator('main header').getByRole('button').allInnerTexts();
const pagers = async (page: Page) => await page.locator('section > .actions').getByRole('button').allInnerTexts();
const filters = (page: Page) => page.getByRole('form', { name: 'Filters' });
const record = (page: Page) => page.getByRole('region', { name: 'The record as text' });
const bytes = (page: Page) => page.getByRole('region', { name: 'The record as bytes' });
const shows = async (page: Page, sentence: string) => await page.getByText(sentence, { exact: true }).waitFor();
const words = (text: string) => text.replaceAll('_', ' ');

function rowOf({ id, received_at, topic, partition, offset, reason, message, resolution }: Letter): string[] {
  const origin = `${topic}/${partition} at ${shownInteger(offset)}`;
  return [String(id), '', shownTime(received_at), origin, words(reason), message, resolution ?? 'open'];
}

/** A record whose invalid field is far from both the beginning and the end. */
const LONG = {
  before: 'x'.repeat(PADDING),
  ...tripProcessed({ fleet_id: 'south' }),
  distance_miles: 'far',
  after: 'é'.repeat(PADDING),
};
const HUGE = { ...tripProcessed(), distance_miles: 'far', after: 'é'.repeat(CHUNK_BYTES) };

describeWithBrowser("Operate's dead letters", () => {
  let operate: OperateWorld;
  const letters = async (query = '') => (await operate.read(listDeadLetters, `/dead-letters${query}`)).dead_letters;
  const idOf = async (query: string) => (await letters(query))[0]?.id ?? 0;

  it.beforeAll(async ({ operate: shared }) => {
    operate = shared;
    const { ingest } = operate.world.pipeline;
    const trip = tripProcessed();
    const south = [{ ...trip, events: trip.events.map((event) => ({ ...event, event_type: 'x' })) }, LONG, HUGE];
    await deliver(ingest, south, 'south.trips');
    const many = Array.from({ length: MANY }, (_, index) => `{"broken": ${index}`);
    await deliver(ingest, many, 'many.trips');
    // The offset has more than three digits.
    await deliver(ingest, ['{"late"'], 'milepost.trips');
  });

  it('list all columns on each page, and forget the selection when the page changes', async () => {
    const { page } = await operate.open('#/dead-letters');
    const shown = async () => (await readTable(page, 'Dead letters')).slice(1);
    const all = await letters('?limit=1000');
    const pages = [all.slice(0, 100), all.slice(100, 200), all.slice(200)];
    await expect.poll(shown).toEqual(pages[0]?.map(rowOf));
    expect((await shown())[0]?.[3]).toMatch(/^milepost\.trips\/0 at 1,\d{3}$/);
    expect((await readLinks(list(page)))[1]).toEqual([String(all[1]?.id), `#/dead-letters/${all[1]?.id}`]);
    await page.getByRole('checkbox', { name: `Select dead letter ${all[0]?.id}`, exact: true }).check();
    expect(await buttonsOf(page)).toEqual(['Retry', 'Discard']);
    for (const [next, index, buttons] of [
      ['Older', 1, ['Newer', 'Older']],
      ['Older', 2, ['Newer']],
      ['Newer', 1, ['Newer', 'Older']],
      ['Newer', 0, ['Older']],
    ] as const) {
      await button(page, next).click();
      await expect.poll(shown).toEqual(pages[index]?.map(rowOf));
      expect(await pagers(page)).toEqual(buttons);
      expect(await buttonsOf(page)).toEqual(['Retry all', 'Discard all']);
    }
    // A new dead letter appears without a reload.
    await deliver(operate.world.pipeline.ingest, ['{"newest"'], 'newest.trips');
    await expect.poll(async () => (await shown())[0]?.[3]).toBe('newest.trips/0 at 0');
  });

  it('are grouped by fault, and each group links to its dead letters', async () => {
    const { page } = await operate.open('#/dead-letters?source=south.trips');
    const { groups } = await operate.json('/dead-letters/summary?source=south.trips');
    const newest = shownTime(groups[0].last_received_at);
    const groupsShown = async () => (await readTable(page, 'Dead letters by fault')).slice(1);
    await expect.poll(groupsShown).toEqual([
      ['invalid field', '/distance_miles', '2', newest],
      ['invalid field', '/events/*/event_type', '1', newest],
    ]);
    const links = page.getByRole('region', { name: 'Dead letters by fault' }).getByRole('link');
    await links.last().click();
    await expect
      .poll(() => hashOf(page))
      .toBe('#/dead-letters?reason=invalid_field&source=south.trips&field=%2Fevents');
    await expect.poll(async () => await list(page).getByRole('row').count()).toBe(2);
    // A fault in the whole record has no field.
    await page.goto(`${operate.origin}/#/dead-letters?reason=null_value`);
    await expect.poll(async () => (await groupsShown())[0]?.slice(0, 2)).toEqual(['null value', 'the record']);
  });

  it('are filtered by each field of the form until the form is cleared', async () => {
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
    await expectRows(page, 'Dead letters', found.map(rowOf));
    const values = async () => [
      ...(await filters(page)
        .getByRole('textbox')
        .evaluateAll((fields) => fields.map((field) => 'value' in field && field.value))),
      await filters(page).getByLabel('Include settled').isChecked(),
    ];
    expect(await values()).toEqual(['invalid_field', 'south.trips', '/distance_miles', 'south', true]);
    await filters(page).getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => hashOf(page)).toBe('#/dead-letters');
    await expect.poll(values).toEqual(['', '', '', '', false]);
    await page.goto(`${operate.origin}/#/dead-letters?reason=revision_conflict`);
    await shows(page, 'No open dead letter matches the filter.');
    expect([await buttonsOf(page), await page.getByRole('table').count()]).toEqual([[], 0]);
  });

  it('that match a filter are settled together, and no others', async () => {
    const open = (await letters('?limit=1000')).length;
    const { page } = await operate.open('#/dead-letters?field=%2Fdriver_id');
    await button(page, 'Discard all').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('without a driver');
    await dialog.getByRole('textbox').last().fill('1');
    await dialog.getByRole('button', { name: 'Discard', exact: true }).click();
    await shows(page, '1 dead letter discarded, 0 not open.');
    expect(await letters('?all=true&field=/driver_id')).toMatchObject([
      { resolution: 'discarded', note: 'without a driver' },
    ]);
    expect((await letters('?limit=1000')).length).toBe(open - 1);
  });

  it('are named in the question, and are settled only if a reason and their number are typed', async () => {
    const { page } = await operate.open('#/dead-letters?source=many.trips');
    const [one = 0, two = 0, three = 0] = (await letters('?source=many.trips')).map(({ id }) => id);
    const box = (id: number) => page.getByRole('checkbox', { name: `Select dead letter ${id}`, exact: true });
    const dialog = page.getByRole('dialog');
    const expectQuestion = async (name: string, title: string) => {
      await button(page, name).click();
      expect(await dialog.getByRole('heading').innerText()).toBe(title);
      await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await box(one).waitFor();
    await expectQuestion('Retry all', `Retry all ${MANY} open dead letters that match`);
    await box(one).check();
    await expectQuestion('Discard', `Discard dead letter ${one}`);
    await box(two).check();
    await box(three).check();
    await box(one).click();
    await expect.poll(async () => await box(one).isChecked()).toBe(false);
    await button(page, 'Retry').click();
    expect(await dialog.getByRole('heading').innerText()).toBe('Retry 2 dead letters');
    await dialog.getByRole('button', { name: 'Retry', exact: true }).click();
    await page.getByText(/2 dead letters retried, .* 2 refused again/).waitFor();
    await box(two).check();
    await box(three).check();
    await button(page, 'Discard').click();
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
    await shows(page, '2 dead letters discarded, 0 not open.');
    await box(two).waitFor({ state: 'detached' });
    expect(await operate.json(`/dead-letters/${three}`)).toMatchObject({ resolution: 'discarded', note: 'noise' });
    await page.goto(`${operate.origin}/#/dead-letters?source=many.trips&all=true`);
    const states = async () => (await readTable(page, 'Dead letters')).slice(1, 5).map((row) => row.at(-1));
    await expect.poll(states).toEqual(['open', 'discarded', 'discarded', 'open']);
    expect([await box(one).count(), await box(two).count()]).toEqual([1, 0]);
  });

  it('show the facts and the whole record, or why the record is missing', async () => {
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
    await open(await idOf('?reason=invalid_utf8'), /The record, 4 bytes/);
    expect(await record(page).innerText()).toBe('{\ufffd\ufffd}');
    await button(page, 'Hexadecimal').click();
    await expectTexts(bytes(page).locator('pre > div'), ['000000 7b ff fe 7d {..}']);
  });

  it('show the part of a long record around the fault, as text and as bytes', async () => {
    const [huge, long] = (await letters('?source=south.trips&field=/distance_miles')).map(({ id }) => id);
    const { page } = await operate.open(`#/dead-letters/${long}`);
    const text = JSON.stringify(LONG);
    const fault = text.indexOf('"distance_miles"');
    const [from, to] = [fault - 5_000, fault + 15_000];
    await record(page).waitFor();
    expect(await record(page).locator('pre').textContent()).toBe(`… ${text.slice(from, to)} …`);
    await expectTexts(record(page).locator('mark'), ['"distance_miles":"far"']);
    await shows(page, `Characters ${shownInteger(from + 1)} to ${shownInteger(to)} of ${shownInteger(text.length)}.`);
    const raw = Buffer.from(text);
    await page.getByRole('heading', { name: `The record, ${shownInteger(raw.length)} bytes`, exact: true }).waitFor();
    await button(page, 'Hexadecimal').click();
    const first = 16 * (Math.floor(fault / 16) - 64);
    const lines = await bytes(page).locator('pre > div').allInnerTexts();
    expect(lines).toHaveLength(256);
    const line = raw.subarray(first, first + 16);
    const hex = [...line].map((byte) => byte.toString(16)).join(' ');
    expect(lines[0]).toBe(`${first.toString(16).padStart(6, '0')} ${hex} ${line.toString()}`);
    const marks = (await bytes(page).locator('mark').allInnerTexts()).join('');
    expect(Buffer.from(marks, 'hex').toString()).toBe('"distance_miles":"far"');
    const shown = `Bytes ${shownInteger(first + 1)} to ${shownInteger(first + 4_096)} of ${shownInteger(raw.length)}.`;
    await shows(page, shown);
    await button(page, 'Text').click();
    await record(page).waitFor();
    await page.goto(`${operate.origin}/#/dead-letters/${huge}`);
    const size = shownInteger(Buffer.byteLength(JSON.stringify(HUGE)));
    await page.getByRole('heading', { name: `The record, the first 262,144 of ${size} bytes`, exact: true }).waitFor();
    expect(await record(page).locator('pre').textContent()).toMatch(/^\{"kind".* …$/);
    await page.getByText(/^Characters 1 to 20,000 of \d{3},\d{3}\.$/).waitFor();
  });
});
