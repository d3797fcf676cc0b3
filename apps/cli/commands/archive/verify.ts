import type { VerifiedArchive } from '@milepost/operations/archive';
import type { Command } from 'commander';
import { examples } from '../../arguments.ts';
import { printJson } from '../../output/json.ts';
import { printTable } from '../../output/table.ts';
import { processSignal } from '../../process.ts';
import { faultTeller } from './fault.ts';

const NOTES = `
Compared are the content of each record, whether it took effect and what it took the place of, and that the lines are the
archive's whole range in order. From where and when the records came is not: a restored log says otherwise. Exit code 1
when anything differs. Records of drivers erased since are counted, and are no difference.`;

async function verify(file: string): Promise<VerifiedArchive> {
  const [{ ROLES }, { withPool }, { verifyArchive }, { startProgress }] = await Promise.all([
    import('@milepost/postgres'),
    import('../../database.ts'),
    import('@milepost/operations/archive'),
    import('../../output/progress.ts'),
  ]);
  const signal = processSignal();
  const progress = startProgress('Verifying', ' stored events');
  try {
    return await withPool(ROLES.operator, (pool) =>
      verifyArchive({ pool, file, signal, onProgress: progress.update, onFault: faultTeller() }),
    );
  } finally {
    progress.stop();
  }
}

function print(
  file: string,
  { from, through, stored_events, equal, difference_count, differences }: VerifiedArchive,
): void {
  if (equal) {
    process.stdout.write(
      `${file}: ${stored_events} stored events, positions ${from} to ${through}, equal to the log\n`,
    );
    return;
  }
  printTable(
    ['position', 'line', 'difference'],
    differences.map(({ position, line, difference }) => [position, line, difference]),
  );
  const more = difference_count - differences.length;
  if (more > 0) process.stderr.write(`${more} more are not shown.\n`);
}

function tellErased(file: string, { erased_records }: VerifiedArchive): void {
  if (erased_records === 0) return;
  const records = erased_records === 1 ? '1 record' : `${erased_records} records`;
  process.stderr.write(`${file} still holds ${records} of erased drivers: delete this file or export anew.\n`);
}

/** `milepost archive verify`: whether a file still says what the log says. */
export function addVerify(archive: Command): void {
  archive
    .command('verify')
    .description('Read an archive back and compare it with the event log, stored event by stored event.')
    .argument('<file>', 'what `milepost archive export` wrote')
    .option('--json', 'print {from, through, stored_events, equal, difference_count, differences, erased_records}')
    .addHelpText('after', NOTES)
    .addHelpText('after', examples('milepost archive verify log.ndjson.zst'))
    .action(async (file: string, options: { json?: true }) => {
      const result = await verify(file);
      if (options.json) printJson(result);
      else print(file, result);
      tellErased(file, result);
      if (!result.equal) {
        const places = result.difference_count === 1 ? '1 place' : `${result.difference_count} places`;
        throw new Error(`${file} differs from the log in ${places}.`);
      }
    });
}
