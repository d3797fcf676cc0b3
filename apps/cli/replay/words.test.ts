import { describe, expect, it } from 'vitest';
import { exampleView } from './example-view.ts';
import { percentDone, phaseLine, progressLine, remainingWords, replayName, throttleWords, verdict } from './words.ts';

describe("a replay's progress line", () => {
  it('shows the phase, share, position, rate, remaining time with its range, and throttle', () => {
    expect(progressLine(exampleView())).toBe(
      'Replay 7 filling ██████████░░░░░░░░░░░░░░ 41 %, position 12.3 k of 30.0 k, 21.0 k trips/s, 2m05s left (1m50s to 4m00s), throttle auto',
    );
  });

  it('shows why the automatic throttle slows the replay down', () => {
    const line = progressLine(exampleView({ throttled_by: 'reads take 5.0 ms (idle: 1.0 ms)' }));
    expect(line).toContain('throttle auto, slowed down because reads take 5.0 ms (idle: 1.0 ms)');
  });

  it('omits the least important parts in a narrow terminal, and truncates no word', () => {
    const view = exampleView({ throttled_by: 'reads take 5.0 ms (idle: 1.0 ms)' });
    expect(progressLine(view, 200)).toMatch(/throttle auto, slowed down because reads take 5.0 ms \(idle: 1.0 ms\)$/);
    expect(progressLine(view, 110)).toMatch(/position 12\.3 k of 30\.0 k, 21\.0 k trips\/s, 2m05s left$/);
    expect(progressLine(view, 60)).toBe('Replay 7 filling 41 %, 21.0 k trips/s, 2m05s left');
    expect(progressLine(view, 30)).toBe('Replay 7 filling 41 %');
    for (let columns = 30; columns < 200; columns += 1) {
      expect(progressLine(view, columns).length).toBeLessThan(columns);
    }
  });

  it('omits figures that are not measured', () => {
    const unmeasured = { trips_per_second: null, remaining_seconds: null, remaining_seconds_range: null };
    const line = progressLine(exampleView({ ...unmeasured, throttle: 'off' }));
    expect(line).toMatch(/41 %, position 12\.3 k of 30\.0 k$/);
    expect(progressLine(exampleView({ ...unmeasured, phase: 'verifying' }))).toBe('Replay 7 verifying');
  });

  it('never shows 100 % before the end', () => {
    expect(progressLine(exampleView({ position: 29_999 }))).toContain(' 99 %');
  });

  it('names a lane other than the first', () => {
    expect(phaseLine(exampleView({ lane: 2 }))).toBe('Replay 7 in lane 2: filling, position 12345 of 30000');
    expect(progressLine(exampleView({ lane: 2, phase: 'verifying' }))).toBe('Replay 7 in lane 2 verifying');
  });

  it('is plain text in a pipe', () => {
    expect(phaseLine(exampleView())).toBe('Replay 7: filling, position 12345 of 30000');
    expect(phaseLine(exampleView({ phase: 'indexing' }))).toBe('Replay 7: building indexes');
    expect(phaseLine(exampleView({ phase: 'verifying', halted: 'paused' }))).toBe('Replay 7: paused while verifying');
  });
});

it.each([
  [0, 0, 100],
  [0, 10, 0],
  [9, 10, 90],
  [10, 10, 100],
  [11, 10, 100],
])('percentDone of position %i of %i is %i', (position, target, percent) => {
  expect(percentDone({ position, target })).toBe(percent);
});

it('throttleWords and verdict have the unit and the number of what they name', () => {
  expect(throttleWords({ throttle: 500, throttled_by: null })).toBe('at most 500 trips/s');
  expect(throttleWords({ throttle: 'off', throttled_by: null })).toBe('off');
  expect(verdict({ equal: false, expected: true, differences: 1 })).toMatch(/^1 row differs, as expected/);
  expect(verdict({ equal: true, expected: true, differences: 0 }, ' on 2 days')).toBe('equal');
  const unexplained = { equal: false, expected: false };
  expect(verdict({ ...unexplained, differences: 1 }, ' on 1 day')).toMatch(/^1 row differs on 1 day, which no version/);
  expect(verdict({ ...unexplained, differences: 2 }, ' on 1 day')).toMatch(/^2 rows differ on 1 day, which no version/);
});

it('remainingWords shows the range only if there is one, and nothing before the first measurement', () => {
  expect(remainingWords({ remaining_seconds: null, remaining_seconds_range: null })).toBeNull();
  expect(remainingWords({ remaining_seconds: 0, remaining_seconds_range: null })).toBe('0s left');
  expect(remainingWords({ remaining_seconds: 61, remaining_seconds_range: [59, 3_600] })).toBe(
    '1m01s left (59s to 1h00m)',
  );
});

it('replayName distinguishes replays from rollbacks, and all projections from named ones', () => {
  expect(replayName({ id: 7, kind: 'build', projection: 'all' })).toBe('Replay 7 of all projections');
  expect(replayName({ id: 8, kind: 'roll_back', projection: 'trips,drivers' })).toBe('Rollback 8 of trips,drivers');
});

it('progressLine leaves the last column free, where some terminals would wrap the line', () => {
  const view = exampleView({ phase: 'catching_up', throttle: 100 });
  const whole = progressLine(view);
  expect(whole).toMatch(/^Replay 7 catching up .* throttle at most 100 trips\/s$/);
  expect(progressLine(view, whole.length + 1)).toBe(whole);
  expect(progressLine(view, whole.length)).not.toBe(whole);
});

it.each([
  [0, 0],
  [49, 12],
  [100, 24],
])('progressLine of %i %% has %i of 24 filled characters', (position, filled) => {
  const line = progressLine(exampleView({ position, target: 100 }));
  expect(line).toContain(` ${'█'.repeat(filled)}${'░'.repeat(24 - filled)} ${position} %`);
});
