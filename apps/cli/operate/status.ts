import { setTimeout as delay } from 'node:timers/promises';
import type { showStatus } from '@milepost/operations/status';
import type { Static } from 'typebox';
import type { Json } from '../client/client.ts';
import { laneOption } from '../client/command-line.ts';
import { failureLine, sentenceOf, UsageError } from '../failure.ts';
import { printFields, printJson, printSection, printText, styled } from '../output.ts';
import { processSignal } from '../process.ts';
import { printReplays } from '../replay/text.ts';
import { viewJson } from '../replay/view.ts';
import type { PresentationOf, Presentations } from './command.ts';

const WATCH_MILLISECONDS = 2_000;
/** Moves a terminal's cursor to the top left, and clears everything after it. */
const CLEAR = '\u001b[H\u001b[J';

type Status = Json<Static<typeof showStatus.answer>>;
type LaneStatus = Status['lanes'][number];

/** Returns a lane as a line of the table, with the lag of its slowest projection. */
function laneLine({ lane, name, head_position, projections, dead_letters }: LaneStatus) {
  const lag_events = Math.max(0, ...projections.map((projection) => projection.lag_events));
  const lag_seconds = Math.max(0, ...projections.map((projection) => projection.lag_seconds));
  return { lane, name, head_position, lag_events, lag_seconds, dead_letters };
}

function printStopped({ lane, projections }: LaneStatus, where: string): void {
  for (const { name, failure, failed_position } of projections) {
    if (failure === null) continue;
    const inLane = laneOption(lane);
    // If there is no position, the read table belongs to another version of the projection, and a replay will replace
    // it.
    const remedy =
      failed_position === null
        ? `\`milepost replay start all --promote${inLane}\` rebuilds its read table.`
        : `\`milepost positions set-aside ${failed_position} --reason TEXT${inLane}\` lets it continue without this stored event.`;
    printText(`\n${styled('red', `${name} is stopped${where}. ${failure}`)} ${remedy}`);
  }
}

function printSetAside({ lane, set_aside }: LaneStatus, where: string): void {
  if (set_aside === 0) return;
  const events = set_aside === 1 ? 'stored event is' : 'stored events are';
  const command = `milepost positions list${laneOption(lane)}`;
  printText(`\n${styled('yellow', `${set_aside} ${events} set aside${where}:`)} see \`${command}\`.`);
}

function printFaults({ lane, sources }: LaneStatus, where: string): void {
  for (const { topic, partition, stopped, fault, fault_at } of sources) {
    if (fault === null) continue;
    const source = `${topic}/${partition}`;
    const command = `milepost sources accept ${source} --from beginning${laneOption(lane)}`;
    const remedy = stopped ? ` To resume it, run \`${command}\` (or pass an offset instead of \`beginning\`).` : '';
    printText(`\n${styled('red', `${source}${where} since ${fault_at}: ${fault}`)}${remedy}`);
  }
}

function printStatus(status: Status): void {
  const { head_position, dead_letters, files_ended, lanes, projections, sources, warnings, replays } = status;
  const whereOf = ({ lane }: LaneStatus) => (lanes.length > 1 ? ` in lane ${lane}` : '');
  printText(`head position ${head_position}, open dead letters ${dead_letters}, files read ${files_ended}\n`);
  if (status.ingest === 'missing') {
    printText(`${styled('red', 'No process has read from Kafka for a minute: is `milepost ingest` running?')}\n`);
  }
  for (const { severity, message, found_at } of status.kafka_findings) {
    const [color, title] = severity === 'error' ? (['red', 'Kafka'] as const) : (['yellow', 'Warning'] as const);
    printText(`${styled(color, `${title} since ${found_at}: ${message}`)}\n`);
  }
  if (lanes.length > 1) {
    printFields(lanes.map(laneLine), ['lane', 'name', 'head_position', 'lag_events', 'lag_seconds', 'dead_letters']);
    printText('');
  }
  for (const lane of status.unavailable_lanes) {
    printText(`${styled('red', `Lane ${lane} is not responding. The figures do not include it.`)}\n`);
  }
  printFields(projections, ['name', 'version', 'generation', 'checkpoint', 'lag_events', 'lag_seconds']);
  for (const lane of lanes) printStopped(lane, whereOf(lane));
  for (const lane of lanes) printSetAside(lane, whereOf(lane));
  if (replays.length > 0) {
    printText('');
    printReplays(replays);
  }
  if (warnings.length > 0)
    printSection('warnings about stored records', warnings, ['topic', 'reason', 'field', 'records']);
  if (sources.length === 0) return;
  printText('');
  printFields(sources, ['topic', 'partition', 'next_offset', 'end_offset', 'lag']);
  for (const lane of lanes) printFaults(lane, whereOf(lane));
}

/** Repeats `show` until the signal aborts. Errors, such as those from a stopped server, are only printed. */
async function watch(show: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    await delay(WATCH_MILLISECONDS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    process.stdout.write(process.stdout.isTTY ? CLEAR : '\n');
    await show().catch((error: unknown) => process.stdout.write(failureLine(sentenceOf(error) ?? '')));
  }
}

/** How `milepost status` presents its result. */
export const presentations: Presentations = {
  status: {
    options: (command) => command.option('--watch', 'repeat every 2 seconds until Ctrl-C'),
    examples: ['milepost status', 'milepost status --watch', 'milepost status --server https://ops.example:3001'],
    async run({ call }, { json, watch: again }) {
      if (again && json) throw new UsageError('--watch and --json cannot be combined.');
      const { answer: status } = await call();
      if (json) printJson({ ...status, replays: status.replays.map(viewJson) });
      else printStatus(status);
      if (again) await watch(async () => printStatus((await call()).answer), processSignal());
    },
  } satisfies PresentationOf<typeof showStatus, { watch?: true }>,
};
