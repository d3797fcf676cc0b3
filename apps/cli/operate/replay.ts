import { listLanes } from '@milepost/operations/lanes';
import { commandOf } from '@milepost/operations/operation';
import { listProjections } from '@milepost/operations/projections';
import { unknownProjection } from '@milepost/operations/refusal-sentence';
import * as replays from '@milepost/operations/replays';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import { READ_TABLES } from '@milepost/projections/read-tables';
import { ALL, projectionsNamed, ReplayRefusedError } from '@milepost/replay';
import type { Command } from 'commander';
import { examples, wholeNumber } from '../arguments.ts';
import type { Client } from '../client/client.ts';
import { openClient } from '../client/open-client.ts';
import { UsageError } from '../failure.ts';
import { printJson } from '../output.ts';
import { processSignal } from '../process.ts';
import { type Goal, isReached, stateSentence } from '../replay/rest.ts';
import { startInLanes } from '../replay/start-in-lanes.ts';
import { generationChanges, printReplays } from '../replay/table.ts';
import { replayText, verificationText } from '../replay/text.ts';
import { type ReplayView, viewJson } from '../replay/view.ts';
import { waitForRest } from '../replay/wait.ts';
import { replayName } from '../replay/words.ts';
import { operationSettingsHelp } from '../settings.ts';
import { addOperation, type CommonOptions, commandAt, LANE_HELP, SERVER_HELP } from './command.ts';

type WaitOptions = CommonOptions & { wait?: true };

const withWait = (command: Command) =>
  command.option(
    '--wait',
    'wait until the replay ends or needs an operator; fail if it has not reached the requested state',
  );

async function follow(
  client: Client,
  replay: Pick<ReplayView, 'id' | 'lane'>,
  goal: Goal,
  json: boolean,
): Promise<void> {
  const view = await waitForRest(client, replay, processSignal());
  if (json) printJson(viewJson(view));
  if (!isReached(view, goal)) throw new Error(stateSentence(view));
  process.stderr.write(`${stateSentence(view)}\n`);
}

/** Prints a replay's state after a change. With `--wait`, first waits until the replay ends or needs an operator. */
async function settle(client: Client, view: ReplayView, { wait, json }: WaitOptions, goal: Goal): Promise<void> {
  if (wait) return await follow(client, view, goal, json === true);
  if (json) printJson(viewJson(view));
  process.stderr.write(`${stateSentence(view)}\n`);
}

function addControlCommands(program: Command): void {
  for (const [operation, goal, example] of [
    [replays.resume, 'built', '7 --wait'],
    [replays.cancel, 'cancelled', '7 --wait'],
    [replays.promote, 'promoted', '7 --wait'],
    [replays.pause, null, '7'],
    [replays.throttle, null, '7 5000'],
  ] as const) {
    addOperation(program, operation, {
      ...(goal && { options: withWait }),
      examples: [`milepost ${commandOf(operation)} ${example}`],
      run: async ({ call, client }, options: WaitOptions) =>
        await settle(client, (await call()).answer, options, goal ?? 'built'),
    });
  }
  addOperation(program, replays.drop, {
    options: withWait,
    notes:
      'The command does not ask for confirmation. It drops the generations that a live replay replaced, so the replay can\nno longer be rolled back. It never drops live generations.',
    examples: ['milepost replay drop 7 --wait'],
    async run({ call, client, input: { id } }, options: WaitOptions) {
      const before = (await client.call(replays.showOne, { id })).answer;
      const { answer } = await call();
      if (before.can_be_rolled_back) {
        process.stderr.write(`${replayName(before)} can no longer be rolled back.\n`);
      }
      await settle(client, answer, options, 'dropped');
    },
  });
}

/** Checks the names of projections, or `all`. Throws UsageError for an unknown name. */
function projectionNames(text: string): string {
  try {
    projectionsNamed(
      READ_TABLES.map((name) => ({ name })),
      text,
    );
  } catch (error) {
    if (!(error instanceof ReplayRefusedError) || error.refusal.code !== 'unknown_projection') throw error;
    throw new UsageError(unknownProjection(error.refusal));
  }
  return text;
}

async function liveGenerations(client: Client): Promise<Map<string, number>> {
  const { projections } = (await client.call(listProjections, {})).answer;
  return new Map(
    projections.flatMap(({ name, generations }) =>
      generations.filter(({ state }) => state === 'live').map(({ generation }): [string, number] => [name, generation]),
    ),
  );
}

/** Prints the id and the state of a started replay. */
async function printStarted(
  client: Client,
  { answer, status }: { answer: ReplayView; status: number },
  options: WaitOptions,
  goal: Goal,
): Promise<void> {
  if (!options.json) process.stdout.write(`${answer.id}\n`);
  if (status === 200) process.stderr.write(`${replayName(answer)} was already running.\n`);
  await settle(client, answer, options, goal);
}

const START_NOTES = `With several lanes, \`all\` without --lane starts one replay in each lane, in parallel. A --throttle in trips per
second is divided among them.`;

function addStartCommands(program: Command): void {
  addOperation(program, replays.start, {
    readers: { projection: projectionNames },
    options: withWait,
    notes: START_NOTES,
    examples: [
      'milepost replay start all --promote --wait',
      'milepost replay start daily_rollups,weekly_rollups --throttle 5000',
    ],
    async run({ call, client, input }, options: WaitOptions) {
      const isForAll = options.lane === undefined && input.projection.trim() === ALL;
      const lanes = isForAll ? (await client.call(listLanes, {})).answer.lanes : [];
      if (lanes.length > 1) await startInLanes(client, lanes, input, options);
      else await printStarted(client, await call(), options, 'built');
    },
  });
  addOperation(program, replays.rollBack, {
    readers: { name: projectionNames },
    options: withWait,
    examples: ['milepost replay rollback all --wait'],
    async run({ call, client }, options: WaitOptions) {
      // Read the live generations before the request, because the rollback may change them soon afterwards.
      const live = await liveGenerations(client);
      const answered = await call();
      process.stderr.write(`Generations: ${generationChanges(live, answered.answer.generations)}.\n`);
      await printStarted(client, answered, options, 'promoted');
    },
  });
}

function addReadCommands(program: Command): void {
  addOperation(program, replays.list, {
    json: 'an array; each entry is the output of `milepost replay show --json`',
    examples: ['milepost replay list --limit 5'],
    printList: printReplays,
    async asJson(view, client) {
      const isWhole = view.verification === null;
      return viewJson(isWhole ? view : (await client.call(replays.showOne, { id: view.id })).answer);
    },
  });
  addOperation(program, replays.showOne, {
    json: '{id, projection, phase, position, target, trips_per_second, remaining_seconds, throttle, verification, error, ...}',
    examples: ['milepost replay show 7', 'milepost replay show 7 --json'],
    async run({ call }, { json }) {
      const { answer } = await call();
      if (json) return printJson(viewJson(answer));
      process.stdout.write(replayText(answer));
      if (answer.verification !== null) process.stdout.write(`\n${verificationText(answer.verification)}`);
    },
  });
}

/** Adds `milepost replay watch`, which calls `replay.show` until the replay ends or needs an operator. */
function addWatch(replay: Command): void {
  replay
    .command('watch')
    .description('Watch a replay until it ends or needs an operator. Ctrl-C ends the command but not the replay.')
    .argument('<id>', 'the id that `milepost replay list` shows', wholeNumber(1))
    .option('--json', 'print the output of `milepost replay show --json` at the end')
    .option('--server <url>', SERVER_HELP)
    .option('--lane <number>', LANE_HELP, wholeNumber(0))
    .addHelpText('after', operationSettingsHelp('replay'))
    .addHelpText('after', examples('milepost replay watch 7'))
    .action(async (id: number, { json, server, lane }: CommonOptions) => {
      await using client = await openClient(server, lane);
      await follow(client, { id, lane: lane ?? FIRST_LANE }, 'ended', json === true);
    });
}

/** Adds the commands of `milepost replay`. */
export function register(program: Command): void {
  const replay = commandAt(program, ['replay']).addHelpText(
    'after',
    examples(
      'milepost replay start all --wait',
      'milepost replay show 7',
      'milepost replay promote 7 --wait',
      'milepost replay rollback all --wait',
    ),
  );
  addStartCommands(program);
  addReadCommands(program);
  addWatch(replay);
  addControlCommands(program);
}
