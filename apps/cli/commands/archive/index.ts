import type { Command } from 'commander';
import { examples } from '../../arguments.ts';
import { addExport } from './export.ts';
import { addVerify } from './verify.ts';

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
  addExport(archive);
  addVerify(archive);
}
