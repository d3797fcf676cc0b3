import type { ValidatedFile } from '@milepost/ingest/validate-file';
import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import { printJson, printTable } from '../output.ts';
import { processSignal } from '../process.ts';
import { withProgressBar } from '../progress.ts';
import { assertReadable } from './ingest.ts';

const NOTES = `
Nothing is stored, and no database is needed. Records are checked as \`milepost ingest\` checks them, but against each other
only: not against what the log holds. Exit code 1 when any record would be refused. What is odd is stored all the same.
\`milepost schema\` prints the rules; docs/records.md explains them.`;

function printFindings(title: string, findings: ValidatedFile['faults']): void {
  if (findings.length === 0) return;
  process.stdout.write('\n');
  printTable(
    [title, 'field', 'records', 'first lines', 'as in the first'],
    findings.map(({ reason, field, records, lines, message }) => [reason, field, records, lines.join(', '), message]),
  );
}

function print(file: string, { read, accepted, duplicates, refused, faults, warnings, cut_off }: ValidatedFile): void {
  process.stdout.write(
    `${file}: ${read} read: ${accepted} to be stored, ${duplicates} duplicates, ${refused} to be refused\n`,
  );
  printFindings('refused', faults);
  printFindings('odd', warnings);
  if (cut_off) process.stderr.write('There are more kinds of faults than are shown.\n');
}

/** `milepost validate`: what ingest would refuse, and why, without storing anything. */
export function addValidate(program: Command): void {
  program
    .command('validate')
    .description('Check a file of records without storing anything: every fault of every record, and what is odd.')
    .argument('<file>', 'an NDJSON file, also .gz and .zst; - for standard input')
    .option('--json', 'print {read, accepted, duplicates, refused, faults, warnings, cut_off}')
    .addHelpText('after', NOTES)
    .addHelpText('after', examples('milepost validate trips.ndjson', 'zcat trips.gz | milepost validate - --json'))
    .action(async (file: string, options: { json?: true }) => {
      await assertReadable([file]);
      const { validateFile } = await import('@milepost/ingest/validate-file');
      const result = await withProgressBar('Checking', 'B', (onProgress) =>
        validateFile({ file, signal: processSignal(), onProgress }),
      );
      if (options.json) printJson(result);
      else print(file, result);
      const { read, refused } = result;
      if (refused > 0) throw new Error(`${refused} of ${read} records would be refused.`);
    });
}
