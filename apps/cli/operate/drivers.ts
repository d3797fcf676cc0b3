import { createInterface } from 'node:readline/promises';
import { erase, previewErasure } from '@milepost/operations/drivers';
import { retryTransientErrors } from '@milepost/postgres';
import { messageOf } from '@milepost/service';
import type { Command } from 'commander';
import { UsageError } from '../failure.ts';
import { printJson } from '../output.ts';
import { processSignal } from '../process.ts';
import type { Client } from './client.ts';
import { addOperation } from './command.ts';

/**
 * Asks on the terminal whether to go on; anything but `yes` is a no. Where nobody can be asked, the command line must have
 * said so. Ctrl-C ends the process as it ends every other.
 *
 * @param refusal what to say when Ctrl-C is the answer
 * @throws UsageError without a terminal
 */
async function confirmed(question: string, refusal: string): Promise<boolean> {
  assertTerminal();
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // In its raw mode the terminal hands Ctrl-C over as a key: without this the answer would fail with words of Node's own.
  terminal.once('SIGINT', () => {
    terminal.close();
    process.stderr.write(`\nmilepost: Stopped by SIGINT. ${refusal}\n`);
    process.kill(process.pid, 'SIGINT');
  });
  try {
    return (await terminal.question(`${question} Type yes to go on: `)).trim() === 'yes';
  } finally {
    terminal.close();
  }
}

/** Throws UsageError where nobody can be asked. */
function assertTerminal(): void {
  if (!process.stdin.isTTY) throw new UsageError('There is no terminal to ask on: --yes says that it shall be done.');
}

const NOTES = `The id always goes, also where the fleet chose it. Given the pseudonym as --driver, figures kept earlier go too.
docs/adr/0010-erasure.md tells more.`;

const NOTHING_ERASED = 'Nothing was erased.';

interface Wanted {
  fleet_id: string;
  driver_id: string;
  keep_aggregates?: boolean;
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

async function isWanted(client: Client, { fleet_id, driver_id, keep_aggregates }: Wanted): Promise<boolean> {
  assertTerminal();
  const { trips, stored_events } = (await client.call(previewErasure, { fleet_id, driver_id })).answer;
  const figures = keep_aggregates ? 'the daily and weekly figures stay.' : 'and so do the daily and weekly figures.';
  return await confirmed(
    `Erase the driver ${JSON.stringify(driver_id)} of the fleet ${fleet_id} for good? ${counted(trips, 'trip')} and ${counted(stored_events, 'stored event')} go, ${figures}`,
    NOTHING_ERASED,
  );
}

/** `milepost drivers`: what is done about one driver. */
export function present(program: Command): void {
  addOperation(program, previewErasure, {
    examples: ['milepost drivers preview --fleet sunrise-delivery --driver 4711'],
  });
  addOperation(program, erase, {
    options: (command) => command.option('--yes', 'do not ask'),
    notes: NOTES,
    examples: [
      'milepost drivers erase --fleet sunrise-delivery --driver 4711 --reason "request of 3 May, case 812"',
      'milepost drivers erase --fleet sunrise-delivery --driver 4711 --reason "case 812" --keep-aggregates --yes',
    ],
    async run({ call, client, input }, { json, yes }: { json?: true; yes?: true }) {
      if (!yes && !(await isWanted(client, input))) throw new Error(NOTHING_ERASED);
      const onRetry = (error: unknown) => {
        process.stderr.write(`Nothing was erased yet: ${messageOf(error)}. Trying again.\n`);
      };
      const { answer } = await retryTransientErrors(async () => await call(), { signal: processSignal(), onRetry });
      if (json) return printJson(answer);
      const { pseudonym, fleet_id, position, stored_events, dead_letters, aggregates_kept } = answer;
      const figures = aggregates_kept
        ? `The daily and weekly figures stay under ${pseudonym}.`
        : 'No figures are kept.';
      process.stdout.write(
        `The driver is now ${pseudonym} of the fleet ${fleet_id}: ${stored_events} stored events and ${dead_letters} dead letters were redacted, as position ${position} of the log says. ${figures} Archives written before still hold the driver: delete them, or export anew (\`milepost archive verify FILE\` tells).\n`,
      );
    },
  });
}
