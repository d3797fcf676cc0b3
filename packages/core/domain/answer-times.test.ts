import { expect, it } from 'vitest';
import { answerableDates, latestVisibleEnd } from './answer-times.ts';
import { MILLISECONDS_PER_DAY } from './calendar.ts';

const MIDNIGHT = Date.parse('2026-09-01T00:00:00.000Z');

it.each([
  ['the start of a day', MIDNIGHT, { earliest: '2026-03-01', yesterday: '2026-08-31', today: '2026-09-01' }],
  [
    'the last millisecond of the day',
    MIDNIGHT + MILLISECONDS_PER_DAY - 1,
    { earliest: '2026-03-01', today: '2026-09-01' },
  ],
  [
    'the millisecond before the day',
    MIDNIGHT - 1,
    { earliest: '2026-02-28', yesterday: '2026-08-30', today: '2026-08-31' },
  ],
])('answerableDates returns the dates for %s, whatever day an earlier call asked for', (_, now, dates) => {
  answerableDates(MIDNIGHT + 3 * MILLISECONDS_PER_DAY);
  expect(answerableDates(now)).toMatchObject(dates);
  expect(answerableDates(now)).toMatchObject(dates);
});

it('answerableDates changes with the first request after midnight', () => {
  expect([MIDNIGHT - 1, MIDNIGHT].map((now) => answerableDates(now).today)).toEqual(['2026-08-31', '2026-09-01']);
});

it('latestVisibleEnd is four hours earlier', () => {
  expect(latestVisibleEnd(MIDNIGHT)).toBe(Date.parse('2026-08-31T20:00:00.000Z'));
});
