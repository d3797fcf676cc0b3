import type { VerifiedArchive } from '@milepost/operations/archive';
import type { Pool, RetryOptions, Role } from '@milepost/postgres';
import type { Command } from 'commander';
import { examples, wholeNumber } from '../arguments.ts';
import { UsageError } from '../failure.ts';
import { printFields, printJson } from '../output.ts';
import { processSignal } from '../process.ts';
import type { Progress } from '../progress.ts';
import { SETTINGS_OF, settingsHelp } from '../settings.ts';

interface ExportOptions {
  from?: number;
  through?: number;
  json?: true;
}

const EXPORT_NOTES = `
Each line is a record as the pipeline publishes it, and one more field, "milepost", that says where it stands in the log.
\`milepost ingest FILE\` reads an archive back: into the same log everything is a duplicate, into an empty one an archive
from position 1 restores the same stored events at the same positions. Dead letters are not part of it. The file appears
under its name when it is complete.`;

const VERIFY_NOTES = `
Compared are the content of each record, whether it took effect and what it took the place of, and that the lines are the
archive's whole range in order. From where and when the records came is not: a restored log says otherwise. Exit code 1
when anything differs. Records of drivers erased since are counted, and are no difference.`;

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Runs work on the log, in a role, with a progress bar. */
async function onLog<Result>(
  label: string,
  role: Role,
  work: (on: RetryOptions & { pool: Pool; onProgress: Progress['update'] }) => Promise<Result>,
): Promise<Result> {
  const [{ withPool }, { retryTeller, withProgressBar }] = await Promise.all([
    import('../database.ts'),
    import('../progress.ts'),
  ]);
  const signal = processSignal();
  const onRetry = retryTeller('The database does not answer at the moment');
  return await withProgressBar(label, ' stored events', async (onProgress) => {
    return await withPool(role, (pool) => work({ pool, signal, onProgress, onRetry }));
  });
}

function assertSensible(file: string, { from, through }: ExportOptions): void {
  if (!file.endsWith('.ndjson.zst')) {
    throw new UsageError(
      `The file's name must end in .ndjson.zst, by which \`milepost ingest\` knows it, and is ${file}.`,
    );
  }
  if (from !== undefined && through !== undefined && from > through) {
    throw new UsageError(`--from must be at most --through, which is ${through}, and is ${from}.`);
  }
}

async function exportLog(file: string, { json, ...range }: ExportOptions): Promise<void> {
  assertSensible(file, range);
  const [{ ROLES }, { exportArchive }] = await Promise.all([
    import('@milepost/postgres'),
    import('@milepost/operations/archive'),
  ]);
  // The role that may read the whole log already; what operators else do needs no right to read trails.
  const exported = await onLog('Archiving', ROLES.projector, (on) => exportArchive({ ...on, file, ...range }));
  const { from, through, stored_events, bytes } = exported;
  if (json) return printJson({ file, from, through, stored_events, bytes });
  process.stdout.write(
    `${file}: ${counted(stored_events, 'stored event')}, positions ${from} to ${through}, ${bytes} bytes\n`,
  );
}

function printVerified(file: string, verified: VerifiedArchive): void {
  const { from, through, stored_events, equal, difference_count, differences } = verified;
  if (equal) {
    const positions = `positions ${from} to ${through}`;
    process.stdout.write(`${file}: ${stored_events} stored events, ${positions}, equal to the log\n`);
    return;
  }
  printFields(differences, ['position', 'line', 'difference']);
  const more = difference_count - differences.length;
  if (more > 0) process.stderr.write(`${more} more are not shown.\n`);
}

async function verify(file: string, { json }: { json?: true }): Promise<void> {
  const [{ ROLES }, { verifyArchive }] = await Promise.all([
    import('@milepost/postgres'),
    import('@milepost/operations/archive'),
  ]);
  const verified = await onLog('Verifying', ROLES.operator, (on) => verifyArchive({ ...on, file }));
  if (json) printJson(verified);
  else printVerified(file, verified);
  const { erased_records, equal, difference_count } = verified;
  if (erased_records > 0) {
    const records = counted(erased_records, 'record');
    process.stderr.write(`${file} still holds ${records} of erased drivers: delete this file or export anew.\n`);
  }
  if (!equal) throw new Error(`${file} differs from the log in ${counted(difference_count, 'place')}.`);
}

/** `milepost archive`: the event log as files that outlive the database. */
export function addArchive(program: Command): void {
  const archive = program
    .command('archive')
    .description('Export a closed range of the event log to a file, and compare such a file with the log.')
    .helpCommand(false)
    .addHelpText(
      'after',
      examples(
        'milepost archive export log.ndjson.zst',
        'milepost archive verify log.ndjson.zst',
        'milepost ingest log.ndjson.zst --wait     # reads it back, into this log or an empty one',
      ),
    );
  archive
    .command('export')
    .description('Write the stored events of a closed range of positions to a new file.')
    .argument('<file>', 'a file that does not exist yet, ending in .ndjson.zst')
    .option('--from <position>', 'the first position (default: 1)', wholeNumber(1))
    .option('--through <position>', 'the last position (default: the last one stored)', wholeNumber(1))
    .option('--json', 'print {file, from, through, stored_events, bytes}')
    .addHelpText('after', EXPORT_NOTES)
    .addHelpText('after', settingsHelp(SETTINGS_OF.archive))
    .addHelpText(
      'after',
      examples(
        'milepost archive export log.ndjson.zst',
        'milepost archive export log-2.ndjson.zst --from 1000001 --through 2000000',
      ),
    )
    .action(exportLog);
  archive
    .command('verify')
    .description('Read an archive back and compare it with the event log, stored event by stored event.')
    .argument('<file>', 'what `milepost archive export` wrote')
    .option('--json', 'print {from, through, stored_events, equal, difference_count, differences, erased_records}')
    .addHelpText('after', VERIFY_NOTES)
    .addHelpText('after', settingsHelp(SETTINGS_OF.archive))
    .addHelpText('after', examples('milepost archive verify log.ndjson.zst'))
    .action(verify);
}
