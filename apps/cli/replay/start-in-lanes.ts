import { start } from '@milepost/operations/replays';
import type { Static } from 'typebox';
import type { Client } from '../client/client.ts';
import { sentenceOf } from '../failure.ts';
import { printFields, printJson, say } from '../output.ts';
import { processSignal } from '../process.ts';
import { isReached, stateSentence } from './rest.ts';
import { type ReplayView, viewJson } from './view.ts';
import { waitForRest } from './wait.ts';

type Input = Static<typeof start.input>;

/** Returns the throttle for each of several concurrent replays, so that together they keep to the given throttle. */
function dividedThrottle(throttle: Input['throttle'], replays: number): Input['throttle'] {
  return typeof throttle === 'number' ? Math.max(1, Math.floor(throttle / replays)) : throttle;
}

/** Waits for the replays one after another, even if one fails. */
async function waitForAll(client: Client, views: readonly ReplayView[]): Promise<ReplayView[]> {
  const ended: ReplayView[] = [];
  for (const view of views) ended.push(await waitForRest(client.inLane(view.lane), view, processSignal()));
  return ended;
}

/**
 * Starts the same replay in several lanes, and prints the replays. If a lane refuses, the replays in the other lanes
 * still start.
 *
 * @throws Error with a sentence for each lane that refuses or whose replay does not reach its goal
 */
export async function startInLanes(
  client: Client,
  lanes: readonly { lane: number }[],
  input: Input,
  { wait, json }: { wait?: true; json?: true },
): Promise<void> {
  const throttle = dividedThrottle(input.throttle, lanes.length);
  const shared = throttle === undefined ? input : { ...input, throttle };
  const failures: string[] = [];
  const started: ReplayView[] = [];
  for (const { lane } of lanes) {
    await client
      .inLane(lane)
      .call(start, shared)
      .then(
        ({ answer }) => started.push(answer),
        (error: unknown) => failures.push(`Lane ${lane}: ${sentenceOf(error)}`),
      );
  }
  if (!json) printFields(started, ['lane', 'id']);
  const views = wait ? await waitForAll(client, started) : started;
  if (json) printJson(views.map(viewJson));
  for (const view of views) {
    const sentence = `Lane ${view.lane}: ${stateSentence(view)}`;
    if (wait && !isReached(view, 'built')) failures.push(sentence);
    else say(sentence);
  }
  if (failures.length > 0) throw new Error(failures.join(' '));
}
