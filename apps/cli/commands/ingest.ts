import { access, constants } from 'node:fs/promises';
import type { AppendCounts } from '@milepost/event-log';
import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import { hasKafka } from '../config.ts';
import { UsageError } from '../failure.ts';
import { printJson } from '../output.ts';
import { processSignal } from '../process.ts';
import { SETTINGS_OF, settingsHelp } from '../settings.ts';

interface Options {
  wait?: true;
  json?: true;
  force?: true;
}

async function runProcess(options: Options): Promise<void> {
  if (options.wait || options.json || options.force) {
    throw new UsageError('--wait, --json and --force go with files: name at least one.');
  }
  if (!hasKafka()) {
    throw new UsageError(
      'Without files, `milepost ingest` reads Kafka and needs KAFKA_BROKERS (host:port, separated by commas): set it, or name files.',
    );
  }
  const { runIngest } = await import('@milepost/ingest');
  await runIngest(processSignal());
}

/** Says which file is not there before anything is read. */
export async function assertReadable(files: readonly string[]): Promise<void> {
  for (const file of files.filter((name) => name !== '-')) {
    await access(file, constants.R_OK).catch(() => {
      throw new Error(`The file ${file} does not exist or may not be read; nothing was ingested.`);
    });
  }
}

function print({ read, stored, duplicates, dead_letters }: AppendCounts, json: boolean): void {
  // In the order of the sum that always holds: read = stored + duplicates + dead letters.
  if (json) printJson({ read, stored, duplicates, dead_letters });
  else {
    process.stdout.write(`${read} read: ${stored} stored, ${duplicates} duplicates, ${dead_letters} dead letters\n`);
  }
  if (dead_letters > 0) process.stderr.write('`milepost dead-letters list` shows what was refused, and why.\n');
}

/** `milepost ingest`: records into the event log, from Kafka until stopped, or from files. */
export function addIngest(program: Command): void {
  program
    .command('ingest')
    .description('Read records into the event log: from files, or without any from Kafka until stopped.')
    .argument('[files...]', 'NDJSON files, also .gz and .zst; - for standard input')
    .option('--wait', 'return when the read tables show the records')
    .option('--force', 'go on with a file whose first 100 records are all refused: each becomes a dead letter')
    .option('--json', 'print {read, stored, duplicates, dead_letters}')
    .addHelpText('after', settingsHelp(SETTINGS_OF.ingest))
    .addHelpText(
      'after',
      examples(
        'milepost validate trips.ndjson.gz     # what would be refused, and why; stores nothing',
        'milepost ingest trips.ndjson.gz --wait',
        'KAFKA_BROKERS=broker:9092 milepost ingest',
      ),
    )
    .action(async (files: string[], options: Options) => {
      if (files.length === 0) return await runProcess(options);
      await assertReadable(files);
      const [{ withPool }, { loadFiles, showInReadTables }] = await Promise.all([
        import('../database.ts'),
        import('../load-files.ts'),
      ]);
      const signal = processSignal();
      const { counts, headPosition } = await loadFiles(withPool, files, signal, options.force);
      if (options.wait) await showInReadTables(withPool, headPosition, signal);
      print(counts, options.json === true);
    });
}
