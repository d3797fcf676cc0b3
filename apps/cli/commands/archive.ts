import type { Pool, RetryOptions } from '@milepost/postgres';
import type { Command } from 'commander';
import { examples, wholeNumber } from '../arguments.ts';
import { UsageError } from '../failure.ts';
import { counted, printFields, printJson, printText, say } from '../output.ts';
import { processSignal } from '../process.ts';
import { createRetryReporter, type Progress, withProgressBar } from '../progress.ts';
import { settingsHelp } from '../settings.ts';

interface ExportOptions {
  from?: number;
  through?: number;
  lane?: number;
  json?: true;
}

const ARCHIVE_LANE_HELP = 'the lane of the log (default: 0)';

const EXPORT_NOTES = `
Each line is a record as the pipeline publishes it, plus a field "milepost" that holds its position in the log.
\`milepost ingest FILE\` reads an archive back. Records that are already in the log are duplicates. In an
empty log, an archive from position 1 restores the same stored events at the same positions. With several lanes, each
lane has its own log and needs its own archive, and ingest stores each record in the lane of its fleet. An archive
contains no dead letters. The file is written under a temporary name and renamed once it is complete.`;

const VERIFY_NOTES = `
The command compares the content of each record, whether it took effect, and which stored event it superseded. It also
checks that the lines cover the whole range of the archive, in order. It ignores the source of each record and the time
at which it was stored, because both differ in a restored log. The exit code is 1 if anything differs. Records of
drivers who were erased after the export are counted, but not as differences.`;

/** Runs `work` with a progress bar and a pool for the lane. The pool's connections use `role`. */
async function onLog<Result>(
  label: string,
  lane: number | undefined,
  role: 'operator' | 'projector',
  work: (on: RetryOptions & { pool: Pool; onProgress: Progress['update'] }) => Promise<Result>,
): Promise<Result> {
  const [{ ROLES }, { withPool }] = await Promise.all([import('@milepost/postgres'), import('../database.ts')]);
  const signal = processSignal();
  const onRetry = createRetryReporter('The database is not responding at the moment');
  return await withProgressBar(label, ' stored events', async (onProgress) => {
    return await withPool(ROLES[role], (pool) => work({ pool, signal, onProgress, onRetry }), lane);
  });
}

async function exportLog(file: string, { json, lane, ...range }: ExportOptions): Promise<void> {
  if (!file.endsWith('.ndjson.zst')) {
    throw new UsageError(
      `The file name must end in .ndjson.zst, so that \`milepost ingest\` recognizes the format, but it is ${file}.`,
    );
  }
  if (range.from !== undefined && range.through !== undefined && range.from > range.through) {
    throw new UsageError(`--from (${range.from}) must not be greater than --through (${range.through}).`);
  }
  const { exportArchive } = await import('@milepost/archive');
  // The projector's role can read the whole log, but the operator's role is not allowed to read trails.
  const exported = await onLog('Archiving', lane, 'projector', (on) => exportArchive({ ...on, file, ...range }));
  const { from, through, stored_events, bytes } = exported;
  if (json) return printJson({ file, from, through, stored_events, bytes });
  printText(`${file}: ${counted(stored_events, 'stored event')}, positions ${from} to ${through}, ${bytes} bytes`);
}

async function verify(file: string, { json, lane }: { json?: true; lane?: number }): Promise<void> {
  const { verifyArchive } = await import('@milepost/archive');
  const verified = await onLog('Verifying', lane, 'operator', (on) => verifyArchive({ ...on, file }));
  const { from, through, stored_events, erased_records, equal, difference_count, differences } = verified;
  const stored = counted(stored_events, 'stored event');
  const more = difference_count - differences.length;
  if (json) printJson(verified);
  else if (equal) printText(`${file} matches the log: ${stored}, positions ${from} to ${through}`);
  else {
    printFields(differences, ['position', 'line', 'difference']);
    if (more > 0) say(`${counted(more, 'more difference')} ${more === 1 ? 'is' : 'are'} not shown.`);
  }
  if (erased_records > 0) {
    const records = counted(erased_records, 'record');
    say(`${file} still contains ${records} of erased drivers: delete this file, or export the log again.`);
  }
  if (!equal) throw new Error(`${file} differs from the log in ${counted(difference_count, 'place')}.`);
}

/** Adds `milepost archive`, which exports the event log to files that are independent of the database. */
export function addArchive(program: Command): void {
  const archive = program
    .command('archive')
    .description('Export a range of the event log to a file, and compare an exported file with the log.')
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
    .description('Write the stored events in a range of positions (both ends included) to a new file.')
    .argument('<file>', 'a file that does not exist yet, ending in .ndjson.zst')
    .option('--from <position>', 'the first position (default: 1)', wholeNumber(1))
    .option('--through <position>', 'the last position (default: the last one stored)', wholeNumber(1))
    .option('--lane <number>', ARCHIVE_LANE_HELP, wholeNumber(0))
    .option('--json', 'print {file, from, through, stored_events, bytes}')
    .addHelpText('after', EXPORT_NOTES)
    .addHelpText('after', settingsHelp('archive'))
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
    .description('Read an archive back and compare each stored event with the event log.')
    .argument('<file>', 'a file that `milepost archive export` wrote')
    .option('--lane <number>', ARCHIVE_LANE_HELP, wholeNumber(0))
    .option('--json', 'print {from, through, stored_events, equal, difference_count, differences, erased_records}')
    .addHelpText('after', VERIFY_NOTES)
    .addHelpText('after', settingsHelp('archive'))
    .addHelpText('after', examples('milepost archive verify log.ndjson.zst'))
    .action(verify);
}
