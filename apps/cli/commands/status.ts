import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import { hasKafka } from '../config.ts';
import { printJson } from '../output/json.ts';
import { printTable } from '../output/table.ts';
import type { SourceStatus } from '../status/end-offsets.ts';
import type { LogStatus } from '../status/log-status.ts';

interface Status extends LogStatus {
  sources: SourceStatus[];
  replays: never[];
}

async function readStatus(): Promise<Status> {
  const [{ ROLES }, { withPool }, { readLogStatus }, { FILE_PREFIX, readEndOffsets, withEndOffsets }] =
    await Promise.all([
      import('@milepost/postgres'),
      import('../database.ts'),
      import('../status/log-status.ts'),
      import('../status/end-offsets.ts'),
    ]);
  const status = await withPool(ROLES.operator, readLogStatus);
  const topics = new Set(status.sources.map(({ topic }) => topic).filter((topic) => !topic.startsWith(FILE_PREFIX)));
  const ends = hasKafka() && topics.size > 0 ? await readEndOffsets(topics) : new Map<string, number>();
  return { ...status, sources: withEndOffsets(status.sources, ends), replays: [] };
}

function printStatus({ head_position, projections, dead_letters, sources }: Status): void {
  process.stdout.write(`head position ${head_position}, open dead letters ${dead_letters}\n\n`);
  printTable(
    ['projection', 'version', 'generation', 'checkpoint', 'lag', 'lag seconds'],
    projections.map((row) => [
      row.name,
      row.version,
      row.generation,
      row.checkpoint,
      row.lag_events,
      Math.round(row.lag_seconds * 10) / 10,
    ]),
  );
  for (const { name, failure } of projections) {
    if (failure !== null) process.stdout.write(`\n${name} stands still. ${failure}\n`);
  }
  if (sources.length === 0) return;
  process.stdout.write('\n');
  printTable(
    ['source', 'partition', 'next offset', 'end offset', 'lag'],
    sources.map((row) => [row.topic, row.partition, row.next_offset, row.end_offset, row.lag]),
  );
}

/** `milepost status`: how far the log, the read tables and the sources have come. */
export function addStatus(program: Command): void {
  program
    .command('status')
    .description('Show how far the event log, the read tables and the sources have come.')
    .option('--json', 'print {head_position, projections, dead_letters, sources, replays}')
    .addHelpText('after', examples('milepost status'))
    .action(async (options: { json?: true }) => {
      const status = await readStatus();
      if (options.json) printJson(status);
      else printStatus(status);
    });
}
