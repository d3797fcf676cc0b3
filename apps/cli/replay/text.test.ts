import { expect, it } from 'vitest';
import { exampleNext, exampleView } from '../../../test/support/replay-view.ts';
import { replayText } from './text.ts';
import { viewJson } from './view.ts';

it("a replay's text shows the progress, generations, throttle, times and next commands", () => {
  expect(replayText(exampleView({ next: exampleNext('throttle') }))).toBe(`Replay 7 of all projections: filling
  position     12345 of 30000, 41%
  speed        21000 trips/s
  time         2m05s left (1m50s to 4m00s)
  worker       running
  throttle     auto
  promotion    on request
  requested    2025-01-31T08:00:00.000Z by jane
  generations  drivers 2, version 1, at position 0
               trips 3, version 2, at position 0
  next         milepost replay watch 7: Wait until it ends or needs an operator
               milepost replay throttle 7 THROTTLE: Throttle a replay
`);
});

it.each([
  [{ running: false }, /none: is an ops process running/],
  [
    { halted: 'failed', error: 'It \u001b[31m', running: false },
    /failed while filling\n {2}error +It \?\[31m\n(?!.*worker)/s,
  ],
  [{ promote: true }, /promotion +after verification, unless there are unexpected differences\n/],
  [{ promote: true, accept_differences: true }, /promotion +after verification, even with differences\n/],
  [{ phase: 'promoted', promote: true, cutoff: '2025-01-01' }, /^(?!.*promotion).*rows from +2025-01-01 on\n/s],
  [{ kind: 'roll_back', promote: true }, /^(?!.*promotion)Rollback 7 /s],
] as const)("a replay's text fits its state: %j", (view, text) => expect(replayText(exampleView(view))).toMatch(text));

it("a replay's JSON contains the documented fields first, then additional ones", () => {
  const fields = Object.keys(viewJson(exampleView()));
  const first = 'id,projection,phase,position,target,trips_per_second,remaining_seconds,throttle,verification,error';
  expect(fields.slice(0, 10)).toEqual(first.split(','));
  expect(fields.sort()).toEqual(Object.keys(exampleView()).sort());
});
