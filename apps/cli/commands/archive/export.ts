import type { Command } from 'commander';
import { examples, wholeNumber } from '../../arguments.ts';
import { UsageError } from '../../failure.ts';
import { printJson } from '../../output/json.ts';
import { processSignal } from '../../process.ts';
import { faultTeller } from './fault.ts';

interface Options {
  from?: number;
  through?: number;
  json?: true;
}

const NOTES = `
Each line is a record as the pipeline publishes it, and one more field, "milepost", that says where it stands in the log.
\`milepost ingest FILE\` reads an archive back: into the same log everything is a duplicate, into an empty one an archive
from position 1 restores the same stored events at the same positions. Dead letters are not part of it. The file appears
under its name when it is complete.`;

function assertSensible(file: string, { from, through }: Options): void {
  if (!file.endsWith('.ndjson.zst')) {
    throw new UsageError(
      `The file's name must end in .ndjson.zst, by which \`milepost ingest\` knows it, and is ${file}.`,
    );
  }
  if (from !== undefined && through !== undefined && from > through) {
    throw new UsageError(`--from must be at most --through, which is ${through}, and is ${from}.`);
  }
}

async function exportTo(file: string, range: Pick<Options, 'from' | 'through'>) {
  const [{ ROLES }, { withPool }, { exportArchive }, { startProgress }] = await Promise.all([
    import('@milepost/postgres'),
    import('../../database.ts'),
    import('@milepost/operations/archive'),
    import('../../output/progress.ts'),
  ]);
  const signal = processSignal();
  const progress = startProgress('Archiving', ' stored events');
  try {
    // The role that may read the whole log already; what operators else do needs no right to read trails.
    return await withPool(ROLES.projector, (pool) =>
      exportArchive({ pool, file, ...range, signal, onProgress: progress.update, onFault: faultTeller() }),
    );
  } finally {
    progress.stop();
  }
}

/** `milepost archive export`: stored events as records in a new file. */
export function addExport(archive: Command): void {
  archive
    .command('export')
    .description('Write the stored events of a closed range of positions to a new file.')
    .argument('<file>', 'a file that does not exist yet, ending in .ndjson.zst')
    .option('--from <position>', 'the first position (default: 1)', wholeNumber(1))
    .option('--through <position>', 'the last position (default: the last one stored)', wholeNumber(1))
    .option('--json', 'print {file, from, through, stored_events, bytes}')
    .addHelpText('after', NOTES)
    .addHelpText(
      'after',
      examples(
        'milepost archive export log.ndjson.zst',
        'milepost archive export log-2.ndjson.zst --from 1000001 --through 2000000',
      ),
    )
    .action(async (file: string, { json, ...range }: Options) => {
      assertSensible(file, range);
      const { from, through, stored_events, bytes } = await exportTo(file, range);
      if (json) printJson({ file, from, through, stored_events, bytes });
      else {
        const events = stored_events === 1 ? '1 stored event' : `${stored_events} stored events`;
        process.stdout.write(`${file}: ${events}, positions ${from} to ${through}, ${bytes} bytes\n`);
      }
    });
}
