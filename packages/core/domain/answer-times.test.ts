import { expect, it } from 'vitest';
import { answerableDates, latestVisibleEnd } from './answer-times.ts';
import { MILLISECONDS_PER_DAY } from './calendar.ts';

const MIDNIGHT = Date.parse('2026-09-01T00:00:00.000Z');
const NEXT_DAY = MIDNIGHT + MILLISECONDS_PER_DAY;

it.each([
  ['the start of a day', MIDNIGHT, { earliest: '2026-03-01', yesterday: '2026-08-31', today: '2026-09-01' }],
  ['the end of a day', NEXT_DAY - 1, { earliest: '2026-03-01', yesterday: '2026-08-31', today: '2026-09-01' }],
  ['the end of the day before', MIDNIGHT - 1, { earliest: '2026-02-28', yesterday: '2026-08-30', today: '2026-08-31' }],
])('answerableDates returns the dates at %s, whatever day an earlier call asked for', (_, now, dates) => {
  for (const earlier of [MIDNIGHT - 1, MIDNIGHT, NEXT_DAY + 2 * MILLISECONDS_PER_DAY]) {
    answerableDates(earlier);
    expect(answerableDates(now)).toEqual(dates);
  }
});

it('latestVisibleEnd is four hours earlier', () => {
  expect(latestVisibleEnd(MIDNIGHT)).toBe(Date.parse('2026-08-31T20:00:00.000Z'));
});
