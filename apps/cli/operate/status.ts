import { setTimeout as delay } from 'node:timers/promises';
import { showStatus } from '@milepost/operations/status';
import type { Command } from 'commander';
import type { Static } from 'typebox';
import { failureLine, sentenceOf, UsageError } from '../failure.ts';
import { printFields, printJson } from '../output.ts';
import { processSignal } from '../process.ts';
import { printReplays } from '../replay/table.ts';
import { viewJson } from '../replay/view.ts';
import { styled } from '../style.ts';
import type { Json } from './client.ts';
import { addOperation, type CommonOptions } from './command.ts';

const WATCH_MILLISECONDS = 2_000;
/** Moves a terminal's cursor to the top left, and clears what follows. */
const CLEAR = '\u001b[H\u001b[J';

interface WatchOption {
  watch?: true;
}

function printStatus(status: Json<Static<typeof showStatus.answer>>): void {
  const { head_position, projections, dead_letters, sources, files_ended, warnings, replays } = status;
  process.stdout.write(
    `head position ${head_position}, open dead letters ${dead_letters}, files read ${files_ended}\n\n`,
  );
  if (status.ingest === 'missing') {
    process.stdout.write(
      `${styled('red', 'No process has read Kafka for a minute: is `milepost ingest` running?')}\n\n`,
    );
  }
  printFields(projections, ['name', 'version', 'generation', 'checkpoint', 'lag_events', 'lag_seconds']);
  for (const { name, failure } of projections) {
    if (failure !== null) process.stdout.write(`\n${styled('red', `${name} stands still. ${failure}`)}\n`);
  }
  if (replays.length > 0) {
    process.stdout.write('\n');
    printReplays(replays);
  }
  if (warnings.length > 0) {
    process.stdout.write('\nstored as they are, though odd:\n');
    printFields(warnings, ['topic', 'reason', 'field', 'records']);
  }
  if (sources.length === 0) return;
  process.stdout.write('\n');
  printFields(sources, ['topic', 'partition', 'next_offset', 'end_offset', 'lag']);
  for (const { topic, partition, stopped, fault, fault_at } of sources) {
    if (fault === null) continue;
    const source = `${topic}/${partition}`;
    const remedy = stopped ? ` \`milepost sources accept ${source} --from beginning\`, or an offset, settles it.` : '';
    process.stdout.write(`\n${styled('red', `${source} since ${fault_at}: ${fault}`)}${remedy}\n`);
  }
}

/** Shows something anew until the signal aborts. A database or server that is away for a while is said, and asked again. */
async function watch(show: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    await delay(WATCH_MILLISECONDS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    process.stdout.write(process.stdout.isTTY ? CLEAR : '\n');
    await show().catch((error: unknown) => process.stdout.write(failureLine(sentenceOf(error) ?? '')));
  }
}

/** `milepost status`: how far the log, the read tables and the sources have come. */
export function present(program: Command): void {
  addOperation(program, showStatus, {
    options: (command) => command.option('--watch', 'show it anew every 2 seconds, until Ctrl-C'),
    examples: ['milepost status', 'milepost status --watch', 'milepost status --server https://ops.example:3001'],
    async run({ call }, { json, watch: again }: WatchOption & CommonOptions) {
      if (again && json) throw new UsageError('--watch and --json do not go together.');
      const { answer: status } = await call();
      if (json) printJson({ ...status, replays: status.replays.map(viewJson) });
      else printStatus(status);
      if (again) await watch(async () => printStatus((await call()).answer), processSignal());
    },
  });
}
