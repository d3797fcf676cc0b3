import { commandOf } from '@milepost/operations/operation';
import { listProjections } from '@milepost/operations/projections';
import * as replays from '@milepost/operations/replays';
import { unknownProjection } from '@milepost/operations/replays/refusals';
import { READ_TABLES } from '@milepost/projections/read-tables';
import { projectionsNamed, ReplayRefusedError } from '@milepost/replay';
import type { Command } from 'commander';
import { examples, wholeNumber } from '../arguments.ts';
import { UsageError } from '../failure.ts';
import { printJson } from '../output.ts';
import { processSignal } from '../process.ts';
import { type Goal, isReached, restSentence } from '../replay/rest.ts';
import { generationChanges, printReplays } from '../replay/table.ts';
import { replayText } from '../replay/text.ts';
import { printVerification } from '../replay/verification.ts';
import type { ListedReplay, ReplayView } from '../replay/view.ts';
import { viewJson } from '../replay/view.ts';
import { waitForRest } from '../replay/wait.ts';
import { operationSettingsHelp } from '../settings.ts';
import type { Client } from './client.ts';
import { addOperation, type CommonOptions, commandAt, SERVER_HELP } from './command.ts';
import { type LimitOption, limited, printList } from './lists.ts';
import { openClient } from './open-client.ts';

interface WaitOption {
  wait?: true;
}

const withWait = (help: string) => (command: Command) => command.option('--wait', help);

async function follow(client: Client, id: number, goal: Goal, json: boolean): Promise<void> {
  const view = await waitForRest(client, id, processSignal());
  if (json) printJson(viewJson(view));
  if (!isReached(view, goal)) throw new Error(restSentence(view));
  process.stderr.write(`${restSentence(view)}\n`);
}

/** Tells what a replay does next, or waits for its end when asked to. */
async function settle(
  client: Client,
  view: ReplayView,
  { wait, json }: CommonOptions & WaitOption,
  { goal, accepted }: { goal: Goal; accepted: string },
): Promise<void> {
  if (wait) return await follow(client, view.id, goal, json === true);
  if (json) printJson(viewJson(view));
  process.stderr.write(`${accepted}\n`);
}

function addControls(program: Command): void {
  const controls = [
    [
      replays.pause,
      'built',
      (id: number) => `stands still from now on: \`milepost replay resume ${id}\` lets it go on`,
    ],
    [replays.resume, 'built', (id: number) => `goes on: \`milepost replay watch ${id}\` shows how`],
    [
      replays.cancel,
      'cancelled',
      (id: number) => `is being cancelled: \`milepost replay show ${id}\` tells when it is`,
    ],
  ] as const;
  for (const [operation, goal, next] of controls) {
    const example = `milepost ${commandOf(operation)} 7`;
    addOperation(program, operation, {
      ...(operation === replays.pause
        ? { examples: [example] }
        : { options: withWait('return when it is done, or rests otherwise'), examples: [`${example} --wait`] }),
      async run({ call, client }, options: CommonOptions & WaitOption) {
        const { answer } = await call();
        await settle(client, answer, options, { goal, accepted: `Replay ${answer.id} ${next(answer.id)}.` });
      },
    });
  }
  addOperation(program, replays.drop, {
    options: withWait('return when it is done, or rests otherwise'),
    notes:
      'Nothing is asked. Of a replay that is live, what it replaced goes: `milepost replay rollback` has nothing to go back to\nfrom then on, for good. What is live is never dropped.',
    examples: ['milepost replay drop 7 --wait'],
    async run({ call, client, input: { id } }, options: CommonOptions & WaitOption) {
      const before = (await client.call(replays.showOne, { id })).answer;
      const { answer } = await call();
      if (before.can_be_rolled_back) {
        process.stderr.write(
          `What replay ${id} of ${before.projection} replaced is gone for good with this: no roll back leads to it, unless a later replay that is live replaced it too.\n`,
        );
      }
      const accepted = `What replay ${id} has left is being dropped: \`milepost replay show ${id}\` tells when it is.`;
      await settle(client, answer, options, { goal: 'dropped', accepted });
    },
  });
  addOperation(program, replays.throttle, {
    examples: ['milepost replay throttle 7 5000', 'milepost replay throttle 7 auto'],
    async run({ call, client, input: { id, throttle: rate } }, options) {
      const { answer } = await call();
      const accepted = `The throttle of replay ${id} is ${typeof rate === 'number' ? `${rate} trips/s` : rate} now.`;
      await settle(client, answer, options, { goal: 'built', accepted });
    },
  });
  addOperation(program, replays.promote, {
    options: withWait('return when it is live, or rests otherwise'),
    examples: ['milepost replay promote 7 --wait', 'milepost replay promote 7 --accept-differences'],
    async run({ call, client, input: { id } }, options: CommonOptions & WaitOption) {
      const { answer } = await call();
      const accepted = `Replay ${id} is promoted as soon as it can be: \`milepost replay watch ${id}\` shows when. Until then \`milepost replay pause ${id}\` or \`milepost replay cancel ${id}\` stops it.`;
      await settle(client, answer, options, { goal: 'promoted', accepted });
    },
  });
}

/** The name of a projection, several separated by commas, or all. Throws UsageError for a name that stands for none. */
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

function addBeginnings(program: Command): void {
  addOperation(program, replays.start, {
    readers: { projection: projectionNames },
    options: withWait('return when it rests: verified and waiting, or promoted'),
    examples: [
      'milepost replay start all --promote --wait',
      'milepost replay start daily_rollups,weekly_rollups --throttle 5000',
    ],
    async run({ call, client }, options: CommonOptions & WaitOption) {
      const { answer, status } = await call();
      if (!options.json) process.stdout.write(`${answer.id}\n`);
      if (status === 200) {
        process.stderr.write(
          `Replay ${answer.id} of ${answer.projection} was under way already, or waited and is verified anew. It takes over --promote and --accept-differences; only its throttle stays as it was: \`milepost replay show ${answer.id}\`.\n`,
        );
      }
      const accepted = `\`milepost replay watch ${answer.id}\` shows how it goes on.`;
      await settle(client, answer, options, { goal: 'built', accepted });
    },
  });
  addOperation(program, replays.rollBack, {
    readers: { name: projectionNames },
    options: withWait('return when it is live, or rests otherwise'),
    examples: ['milepost replay rollback all --wait'],
    async run({ call, client }, options: CommonOptions & WaitOption) {
      // Before the request: a moment after it, what it asks for may be live.
      const live = await liveGenerations(client);
      const { answer, status } = await call();
      process.stderr.write(`Generations: ${generationChanges(live, answer.generations)}.\n`);
      if (status === 200)
        process.stderr.write(`Roll back ${answer.id} of ${answer.projection} was under way already.\n`);
      if (!options.json) process.stdout.write(`${answer.id}\n`);
      const accepted = `\`milepost replay watch ${answer.id}\` shows how it goes on.`;
      await settle(client, answer, options, { goal: 'promoted', accepted });
    },
  });
}

function addLooks(program: Command): void {
  addOperation(program, replays.list, {
    ...limited(20),
    json: 'an array of what `milepost replay show --json` prints',
    examples: ['milepost replay list --limit 5'],
    async run({ call, client, input }, options: LimitOption) {
      const inFull = async (view: ListedReplay) => {
        if (view.verification === null) return viewJson(view);
        return viewJson((await client.call(replays.showOne, { id: view.id })).answer);
      };
      await printList(options, input.before, {
        most: 200,
        async read(page) {
          const { replays: entries, next_before } = (await call(page)).answer;
          return { entries, next_before };
        },
        asJson: inFull,
        what: 'replays',
        print: printReplays,
      });
    },
  });
  addOperation(program, replays.showOne, {
    json: '{id, projection, phase, position, target, trips_per_second, remaining_seconds, throttle, verification, error, ...}',
    examples: ['milepost replay show 7', 'milepost replay show 7 --json'],
    async run({ call }, { json }) {
      const { answer } = await call();
      if (json) return printJson(viewJson(answer));
      process.stdout.write(replayText(answer));
      if (answer.verification === null) return;
      process.stdout.write(`\n${printVerification(answer.verification).trimEnd()}\n`);
    },
  });
}

/** Looks on until a replay rests: `replay.show`, again and again. */
function addWatch(replay: Command): void {
  replay
    .command('watch')
    .description('Look on until a replay rests. Ctrl-C ends the looking on, never the replay.')
    .argument('<id>', 'the id that `milepost replay list` shows', wholeNumber(1))
    .option('--json', 'print at the end what `milepost replay show --json` prints')
    .option('--server <url>', SERVER_HELP)
    .addHelpText('after', operationSettingsHelp('replay'))
    .addHelpText('after', examples('milepost replay watch 7'))
    .action(async (id: number, { json, server }: CommonOptions) => {
      await using client = await openClient(server);
      await follow(client, id, 'ended', json === true);
    });
}

/** `milepost replay`: read tables built anew beside the live ones. */
export function present(program: Command): void {
  const replay = commandAt(program, ['replay']).addHelpText(
    'after',
    examples(
      'milepost replay start all --wait',
      'milepost replay show 7',
      'milepost replay promote 7 --wait',
      'milepost replay rollback all --wait',
    ),
  );
  addBeginnings(program);
  addLooks(program);
  addWatch(replay);
  addControls(program);
}
