import { listLanes } from '@milepost/operations/lanes';
import { listProjections } from '@milepost/operations/projections';
import { unknownProjection } from '@milepost/operations/refusals';
import * as replays from '@milepost/operations/replays';
import { Id } from '@milepost/operations/schemas';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import { READ_TABLES } from '@milepost/projections/read-tables';
import { ALL, projectionsNamed, ReplayRefusedError } from '@milepost/replay';
import type { Command } from 'commander';
import Type from 'typebox';
import { examples } from '../arguments.ts';
import type { Answered, Client } from '../client/client.ts';
import { UsageError } from '../failure.ts';
import { printJson, printText, say } from '../output.ts';
import { processSignal } from '../process.ts';
import { startInLanes } from '../replay/start-in-lanes.ts';
import { printReplays, replayText, verificationText } from '../replay/text.ts';
import { type Goal, isReached, type ReplayView, viewJson } from '../replay/view.ts';
import { waitForRest } from '../replay/wait.ts';
import { generationChanges, replayName, stateSentence } from '../replay/words.ts';
import { type CommonOptions, commandAt, type PresentationOf, type Presentations } from './command.ts';

type WaitOptions = CommonOptions & { wait?: true };

const withWait = (command: Command) =>
  command.option(
    '--wait',
    'wait until the replay ends or needs an operator; fail if it has not reached the requested state',
  );

/** Prints a replay's state. Throws it as an Error if the command has waited for a goal that is not reached. */
function printView(view: ReplayView, { json }: CommonOptions, awaited: Goal | null): void {
  if (json) printJson(viewJson(view));
  if (awaited !== null && !isReached(view, awaited)) throw new Error(stateSentence(view));
  say(stateSentence(view));
}

/** Prints a replay's state after a change. With `--wait`, first waits until the replay ends or needs an operator. */
async function printState(client: Client, changed: ReplayView, options: WaitOptions, goal: Goal): Promise<void> {
  if (options.wait) printView(await waitForRest(client, changed, processSignal()), options, goal);
  else printView(changed, options, null);
}

/** Returns the presentation of a change to a replay. `goal` is what `--wait` waits for; null if there is no `--wait`. */
function control(goal: Goal | null, example: string): PresentationOf<typeof replays.pause, WaitOptions> {
  return {
    ...(goal && { options: withWait }),
    examples: [example],
    run: async ({ call, client }, options) => await printState(client, (await call()).answer, options, goal ?? 'built'),
  };
}

const TABLES = READ_TABLES.map((name) => ({ name }));

/** Checks the names of projections, or `all`. Throws UsageError for an unknown name. */
function projectionNames(text: string): string {
  try {
    projectionsNamed(TABLES, text);
    return text;
  } catch (error) {
    if (!(error instanceof ReplayRefusedError) || error.refusal.code !== 'unknown_projection') throw error;
    throw new UsageError(unknownProjection(error.refusal));
  }
}

/** Prints the id and the state of a started replay. */
async function printStarted(
  client: Client,
  { answer, status }: Answered<ReplayView>,
  options: WaitOptions,
  goal: Goal,
) {
  if (!options.json) printText(String(answer.id));
  if (status === 200) say(`${replayName(answer)} was already running.`);
  await printState(client, answer, options, goal);
}

const START_NOTES = `With several lanes, \`all\` without --lane starts one replay in each lane, in parallel. A --throttle in trips per
second is divided among them.`;

const WATCH = 'Watch a replay until it ends or needs an operator. Ctrl-C ends the command but not the replay';

/** Calls `replay.show` until the replay ends or needs an operator. */
const watch: typeof replays.showOne = {
  ...replays.showOne,
  name: 'replay.watch',
  summary: WATCH,
  input: Type.Object({ id: Id('the id that `milepost replay list` shows') }),
};

/** The operation that only the command line offers. */
export const additions = [watch];

/** How the commands of `milepost replay` present their results. */
export const presentations: Presentations = {
  'replay.start': {
    readers: { projection: projectionNames },
    options: withWait,
    notes: START_NOTES,
    examples: [
      'milepost replay start all --promote --wait',
      'milepost replay start daily_rollups,weekly_rollups --throttle 5000',
    ],
    async run({ call, client, input }, options) {
      const isForAll = options.lane === undefined && input.projection.trim() === ALL;
      const lanes = isForAll ? (await client.call(listLanes, {})).answer.lanes : [];
      if (lanes.length > 1) await startInLanes(client, lanes, input, options);
      else await printStarted(client, await call(), options, 'built');
    },
  } satisfies PresentationOf<typeof replays.start, WaitOptions>,
  'replay.rollback': {
    readers: { name: projectionNames },
    options: withWait,
    examples: ['milepost replay rollback all --wait'],
    async run({ call, client }, options) {
      // Read the live generations before the request, because the rollback may change them soon afterwards.
      const { projections } = (await client.call(listProjections, {})).answer;
      const answered = await call();
      say(`Generations: ${generationChanges(projections, answered.answer.generations)}.`);
      await printStarted(client, answered, options, 'promoted');
    },
  } satisfies PresentationOf<typeof replays.rollBack, WaitOptions>,
  'replay.list': {
    json: 'an array; each entry is the output of `milepost replay show --json`',
    examples: ['milepost replay list --limit 5'],
    printList: printReplays,
    async asJson(view, client) {
      const isWhole = view.verification === null;
      return viewJson(isWhole ? view : (await client.call(replays.showOne, { id: view.id })).answer);
    },
  } satisfies PresentationOf<typeof replays.list>,
  'replay.show': {
    json: '{id, projection, phase, position, target, trips_per_second, remaining_seconds, throttle, verification, error, ...}',
    examples: ['milepost replay show 7', 'milepost replay show 7 --json'],
    async run({ call }, { json }) {
      const { answer } = await call();
      if (json) return printJson(viewJson(answer));
      process.stdout.write(replayText(answer));
      if (answer.verification !== null) process.stdout.write(`\n${verificationText(answer.verification)}`);
    },
  } satisfies PresentationOf<typeof replays.showOne>,
  'replay.watch': {
    description: `${WATCH}.`,
    json: 'the output of `milepost replay show --json` at the end',
    examples: ['milepost replay watch 7'],
    async run({ client, input: { id } }, { lane = FIRST_LANE, ...options }) {
      printView(await waitForRest(client, { id, lane }, processSignal()), options, 'ended');
    },
  } satisfies PresentationOf<typeof watch>,
  'replay.resume': control('built', 'milepost replay resume 7 --wait'),
  'replay.cancel': control('cancelled', 'milepost replay cancel 7 --wait'),
  'replay.promote': control('promoted', 'milepost replay promote 7 --wait'),
  'replay.pause': control(null, 'milepost replay pause 7'),
  'replay.throttle': control(null, 'milepost replay throttle 7 5000'),
  'replay.drop': {
    options: withWait,
    notes:
      'The command does not ask for confirmation. It drops the generations that a live replay replaced, so the replay can\nno longer be rolled back. It never drops live generations.',
    examples: ['milepost replay drop 7 --wait'],
    async run({ call, client, input: { id } }, options) {
      const before = (await client.call(replays.showOne, { id })).answer;
      const { answer } = await call();
      if (before.can_be_rolled_back) say(`${replayName(before)} can no longer be rolled back.`);
      await printState(client, answer, options, 'dropped');
    },
  } satisfies PresentationOf<typeof replays.drop, WaitOptions>,
};

/** Adds the examples of `milepost replay`. */
export function register(program: Command): void {
  commandAt(program, ['replay']).addHelpText(
    'after',
    examples(
      'milepost replay start all --wait',
      'milepost replay show 7',
      'milepost replay promote 7 --wait',
      'milepost replay rollback all --wait',
    ),
  );
}
