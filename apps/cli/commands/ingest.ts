import { access, constants } from 'node:fs/promises';
import type { AppendCounts } from '@milepost/event-log/sources';
import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import { hasKafka } from '../config.ts';
import { UsageError } from '../failure.ts';
import { counted, printJson, printText, say } from '../output.ts';
import { processSignal } from '../process.ts';
import { settingsHelp } from '../settings.ts';

interface Options {
  wait?: true;
  json?: true;
  force?: true;
}

async function runProcess(options: Options): Promise<void> {
  if (options.wait || options.json || options.force) {
    throw new UsageError('--wait, --json and --force apply to files only: name at least one file.');
  }
  if (!hasKafka()) {
    throw new UsageError(
      'Without files, `milepost ingest` reads from Kafka and needs KAFKA_BROKERS (host:port, separated by commas): set it, or name files.',
    );
  }
  const { runIngest } = await import('@milepost/ingest');
  await runIngest(processSignal());
}

/** Throws if a file is missing or unreadable, before anything is read. */
export async function assertReadable(files: readonly string[]): Promise<void> {
  for (const file of files.filter((name) => name !== '-')) {
    await access(file, constants.R_OK).catch(() => {
      throw new Error(`The file ${file} does not exist or is not readable; nothing has been ingested.`);
    });
  }
}

function print({ read, stored, duplicates, dead_letters }: AppendCounts, json: boolean): void {
  // The order mirrors the sum: read = stored + duplicates + dead letters.
  if (json) printJson({ read, stored, duplicates, dead_letters });
  else {
    const others = `${counted(duplicates, 'duplicate')}, ${counted(dead_letters, 'dead letter')}`;
    printText(`${read} read: ${stored} stored, ${others}`);
  }
  if (dead_letters > 0) say('`milepost dead-letters list` shows the refused records and the reasons.');
}

/** Adds `milepost ingest`, which reads records into the event log: from Kafka until it is stopped, or from files. */
export function addIngest(program: Command): void {
  program
    .command('ingest')
    .description('Read records into the event log: from files, or if none are given, from Kafka until stopped.')
    .argument('[files...]', 'NDJSON files, plain, .gz or .zst; - for standard input')
    .option('--wait', 'return when the read tables contain the records')
    .option('--force', 'continue with a file whose first 100 records are all refused: each becomes a dead letter')
    .option('--json', 'print {read, stored, duplicates, dead_letters}')
    .addHelpText('after', settingsHelp('ingest'))
    .addHelpText(
      'after',
      examples(
        'milepost validate trips.ndjson.gz     # shows which records would be refused; stores nothing',
        'milepost ingest trips.ndjson.gz --wait',
        'KAFKA_BROKERS=broker:9092 milepost ingest',
      ),
    )
    .action(async (files: string[], options: Options) => {
      if (files.length === 0) return await runProcess(options);
      await assertReadable(files);
      const { withPool } = await import('../database.ts');
      const { loadFiles, waitForReadTables } = await import('../load-files.ts');
      const signal = processSignal();
      const { counts, headPositions } = await loadFiles(withPool, files, signal, options.force);
      try {
        if (options.wait) await waitForReadTables(withPool, headPositions, signal);
      } finally {
        // The records are stored even if the wait fails.
        print(counts, options.json === true);
      }
    });
}
