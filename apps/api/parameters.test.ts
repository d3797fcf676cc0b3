import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { expect, it } from 'vitest';
import { answerableDates } from './parameters.ts';

const MIDNIGHT = Date.parse('2026-09-01T00:00:00.000Z');

it.each([
  ['a day', MIDNIGHT, { earliest: '2026-03-01', yesterday: '2026-08-31', today: '2026-09-01' }],
  ['its last moment', MIDNIGHT + MILLISECONDS_PER_DAY - 1, { earliest: '2026-03-01', today: '2026-09-01' }],
  ['the moment before it', MIDNIGHT - 1, { earliest: '2026-02-28', yesterday: '2026-08-30', today: '2026-08-31' }],
])('are those of %s, whichever day was asked for before', (_, now, dates) => {
  answerableDates(MIDNIGHT + 3 * MILLISECONDS_PER_DAY);
  expect(answerableDates(now)).toMatchObject(dates);
  expect(answerableDates(now)).toMatchObject(dates);
});

it('pass midnight with the next request', () => {
  expect([MIDNIGHT - 1, MIDNIGHT].map((now) => answerableDates(now).today)).toEqual(['2026-08-31', '2026-09-01']);
});
