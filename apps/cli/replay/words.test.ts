import { describe, expect, it } from 'vitest';
import { exampleView } from './example-view.ts';
import { phaseLine, progressLine } from './words.ts';

describe('the line of a replay on its way', () => {
  it('tells phase, share, position, rate, the time left with its range, and the throttle', () => {
    expect(progressLine(exampleView())).toBe(
      'Replay 7 filling ██████████░░░░░░░░░░░░░░ 41 %, position 12.3 k of 30.0 k, 21.0 k trips/s, 2m05s left (1m50s to 4m00s), throttle auto',
    );
  });

  it('tells why an automatic throttle holds back', () => {
    const line = progressLine(exampleView({ throttled_by: 'reads take 5.0 ms, 1.0 ms at rest' }));
    expect(line).toContain('throttle auto, holds back: reads take 5.0 ms, 1.0 ms at rest');
  });

  it('leaves out the least important where the terminal is narrow, and cuts no word', () => {
    const view = exampleView({ throttled_by: 'reads take 5.0 ms, 1.0 ms at rest' });
    expect(progressLine(view, 140)).toMatch(/2m05s left \(1m50s to 4m00s\), throttle auto$/);
    expect(progressLine(view, 120)).toMatch(/21\.0 k trips\/s, 2m05s left \(1m50s to 4m00s\)$/);
    expect(progressLine(view, 110)).toMatch(/position 12\.3 k of 30\.0 k, 21\.0 k trips\/s, 2m05s left$/);
    expect(progressLine(view, 80)).toMatch(/41 %, 21\.0 k trips\/s, 2m05s left$/);
    expect(progressLine(view, 50)).toBe('Replay 7 filling 41 %, 21.0 k trips/s, 2m05s left');
    for (let columns = 30; columns < 200; columns += 1) {
      expect(progressLine(view, columns).length).toBeLessThan(columns);
    }
  });

  it('claims nothing that is not measured', () => {
    const unmeasured = { trips_per_second: null, remaining_seconds: null, remaining_seconds_range: null };
    const line = progressLine(exampleView({ ...unmeasured, throttle: 'off' }));
    expect(line).toMatch(/41 %, position 12\.3 k of 30\.0 k$/);
    expect(progressLine(exampleView({ ...unmeasured, phase: 'verifying' }))).toBe('Replay 7 verifying');
  });

  it('never shows 100 % before the end', () => {
    expect(progressLine(exampleView({ position: 29_999 }))).toContain(' 99 %');
  });

  it('is plain words in a pipe', () => {
    expect(phaseLine(exampleView())).toBe('Replay 7: filling, position 12345 of 30000');
    expect(phaseLine(exampleView({ phase: 'indexing' }))).toBe('Replay 7: building indexes');
    expect(phaseLine(exampleView({ phase: 'verifying', halted: 'paused' }))).toBe('Replay 7: paused while verifying');
  });
});
