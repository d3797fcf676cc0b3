import { start } from '@milepost/operations/replays';
import type { Static } from 'typebox';
import type { Client } from '../client/client.ts';
import { sentenceOf } from '../failure.ts';
import { printFields, printJson, say } from '../output.ts';
import { processSignal } from '../process.ts';
import { isReached, type ReplayView, viewJson } from './view.ts';
import { waitForRest } from './wait.ts';
import { stateSentence } from './words.ts';

/**
 * Starts the same replay in several lanes, and prints the replays. If a lane refuses, the replays in the other lanes
 * still start.
 *
 * @throws Error with a sentence for each lane that refuses or whose replay does not reach its goal
 */
export async function startInLanes(
  client: Client,
  lanes: readonly { lane: number }[],
  input: Static<typeof start.input>,
  { wait, json }: { wait?: true; json?: true },
): Promise<void> {
  const { throttle } = input;
  // Together, the replays keep to the given throttle.
  const shared =
    typeof throttle === 'number' ? { ...input, throttle: Math.max(1, Math.floor(throttle / lanes.length)) } : input;
  const failures: string[] = [];
  const started: ReplayView[] = [];
  for (const { lane } of lanes) {
    try {
      started.push((await client.inLane(lane).call(start, shared)).answer);
    } catch (error) {
      failures.push(`Lane ${lane}: ${sentenceOf(error)}`);
    }
  }
  if (!json) printFields(started, ['lane', 'id']);
  const views: ReplayView[] = [];
  const signal = wait && processSignal();
  for (const view of started) views.push(signal ? await waitForRest(client.inLane(view.lane), view, signal) : view);
  if (json) printJson(views.map(viewJson));
  for (const view of views) {
    const sentence = `Lane ${view.lane}: ${stateSentence(view)}`;
    if (wait && !isReached(view, 'built')) failures.push(sentence);
    else say(sentence);
  }
  if (failures.length > 0) throw new Error(failures.join(' '));
}
