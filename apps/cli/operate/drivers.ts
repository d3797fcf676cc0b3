import { createInterface } from 'node:readline/promises';
import { type erase, type listDrivers, type listFleets, preview } from '@milepost/operations/drivers';
import { retryTransientErrors } from '@milepost/postgres';
import { causeOf } from '@milepost/service';
import type { Static } from 'typebox';
import type { Client } from '../client/client.ts';
import { UsageError } from '../failure.ts';
import { counted, printJson, printText, say } from '../output.ts';
import { processSignal } from '../process.ts';
import type { PresentationOf, Presentations } from './command.ts';

const NOTHING_ERASED = 'Nothing was erased.';

const NOTES = `The command always removes the id. To remove figures that an earlier erasure kept, use the pseudonym as --driver.
See docs/adr/0010-erasure.md.`;

/**
 * Asks on the terminal whether to continue. Any reply other than `yes` means no. Ctrl-C ends the process as usual.
 * Throws UsageError if there is no terminal.
 */
async function isConfirmed(
  client: Client,
  { fleet_id, driver_id, keep_aggregates }: Static<typeof erase.input>,
): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError('The command cannot ask for confirmation without a terminal: use --yes.');
  const { trips, stored_events } = (await client.call(preview, { fleet_id, driver_id })).answer;
  const figures = keep_aggregates
    ? 'the daily and weekly figures will be kept.'
    : 'the daily and weekly figures will be deleted too.';
  const question = `Erase the driver ${JSON.stringify(driver_id)} of the fleet ${fleet_id} permanently? ${counted(trips, 'trip')} and ${counted(stored_events, 'stored event')} will be redacted, and ${figures}`;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // In raw mode, Ctrl-C arrives as a key. Without this listener, the promise would reject with Node's error.
  terminal.once('SIGINT', () => {
    terminal.close();
    say(`\nmilepost: Stopped by SIGINT. ${NOTHING_ERASED}`);
    process.kill(process.pid, 'SIGINT');
  });
  try {
    return (await terminal.question(`${question} Type yes to continue: `)).trim() === 'yes';
  } finally {
    terminal.close();
  }
}

/** How `milepost drivers`, which lists fleets and drivers and erases a driver, presents its results. */
export const presentations: Presentations = {
  'drivers.fleets': { examples: ['milepost drivers fleets'] } satisfies PresentationOf<typeof listFleets>,
  'drivers.list': {
    examples: ['milepost drivers list --fleet sunrise-delivery --beginning stand'],
  } satisfies PresentationOf<typeof listDrivers>,
  'drivers.preview': {
    examples: ['milepost drivers preview --fleet sunrise-delivery --driver 4711'],
  } satisfies PresentationOf<typeof preview>,
  'drivers.erase': {
    options: (command) => command.option('--yes', 'do not ask for confirmation'),
    notes: NOTES,
    examples: [
      'milepost drivers erase --fleet sunrise-delivery --driver 4711 --reason "request of 3 May, case 812"',
      'milepost drivers erase --fleet sunrise-delivery --driver 4711 --reason "case 812" --keep-aggregates --yes',
    ],
    async run({ call, client, input }, { json, yes }) {
      if (!yes && !(await isConfirmed(client, input))) throw new Error(NOTHING_ERASED);
      const onRetry = (error: unknown) => say(`The erasure is not complete: ${causeOf(error)}. Retrying.`);
      const { answer } = await retryTransientErrors(async () => await call(), { signal: processSignal(), onRetry });
      if (json) return printJson(answer);
      const { pseudonym, fleet_id, position, stored_events, dead_letters, aggregates_kept } = answer;
      const figures = aggregates_kept
        ? `The daily and weekly figures are kept under ${pseudonym}.`
        : 'No figures are kept.';
      printText(
        `The driver is now called ${pseudonym} in the fleet ${fleet_id}. ${counted(stored_events, 'stored event')} and ${counted(dead_letters, 'dead letter')} were redacted; the log records the erasure at position ${position}. ${figures} The worker removes the old versions of the rows from the files (\`milepost drivers erasures\`). Earlier archives still contain the driver: delete them, or export them again (\`milepost archive verify FILE\` reports such records).`,
      );
    },
  } satisfies PresentationOf<typeof erase, { yes?: true }>,
};
