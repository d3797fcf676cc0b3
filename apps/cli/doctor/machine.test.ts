import { expect, it } from 'vitest';
import { checkClock, checkFiles } from './machine.ts';

it.each([
  [-2_000, 'passed', '2.0 s.'],
  [2_001, 'failed', '2.0 s: synchronize both with NTP.'],
  [-3_500, 'failed', '3.5 s: synchronize both with NTP.'],
])('checkClock judges a server that is %i ms ahead: %s', (ahead, result, end) => {
  const finding = checkClock(1_738_310_400_000 + ahead, 1_738_310_400_000);
  expect(finding).toMatchObject({ check: 'clock', result });
  expect(finding.message.endsWith(end)).toBe(true);
});

it.each([
  [255, 'failed'],
  [256, 'warning'],
  [10_240, 'passed'],
  [null, 'skipped'],
])('checkFiles judges a limit of %s open files: %s', (limit, result) => {
  const { message, ...finding } = checkFiles(limit);
  expect(finding).toEqual({ check: 'open files', result });
  expect(message.includes('raise the limit to 10240')).toBe(result === 'failed' || result === 'warning');
});
