import type { ValidatedFile } from '@milepost/ingest/validate-file';
import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import { counted, printJson, printTable, printText, say } from '../output.ts';
import { processSignal } from '../process.ts';
import { withProgressBar } from '../progress.ts';
import { assertReadable } from './ingest.ts';

const NOTES = `
The command stores nothing and needs no database. It checks records as \`milepost ingest\` does, but compares them only with
each other, not with the log. The exit code is 1 if any record would be refused. Unusual values are stored.
\`milepost schema\` prints the rules; docs/records.md explains them.`;

function printFindings(title: string, findings: ValidatedFile['faults']): void {
  if (findings.length === 0) return;
  printText('');
  printTable(
    [title, 'field', 'records', 'first lines', 'message of the first record'],
    findings.map(({ reason, field, records, lines, message }) => [reason, field, records, lines.join(', '), message]),
  );
}

function print(file: string, { read, accepted, duplicates, refused, faults, warnings, cut_off }: ValidatedFile): void {
  printText(
    `${file}: ${read} read: ${accepted} to be stored, ${counted(duplicates, 'duplicate')}, ${refused} to be refused`,
  );
  printFindings('refused', faults);
  printFindings('odd', warnings);
  if (cut_off) say('Not all kinds of faults are shown.');
}

/** Adds `milepost validate`, which reports the records that ingest would refuse, but does not store any records. */
export function addValidate(program: Command): void {
  program
    .command('validate')
    .description('Check a file of records without storing anything, and report every fault and unusual value.')
    .argument('<file>', 'an NDJSON file, plain, .gz or .zst; - for standard input')
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
