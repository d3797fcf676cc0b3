import type { EndOffsets, Status } from '@milepost/operations/status';
import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import { hasKafka } from '../config.ts';
import { sentenceOf } from '../failure.ts';
import { printJson } from '../output/json.ts';
import { printTable } from '../output/table.ts';
import { printReplays } from '../replay/table.ts';
import type { ListedReplay } from '../replay/view.ts';
import { viewJson } from '../replay/view-json.ts';

async function askKafka(topics: readonly string[]): Promise<EndOffsets> {
  const [{ kafkaClient }, { readEndOffsets }] = await Promise.all([
    import('../kafka.ts'),
    import('@milepost/operations/status'),
  ]);
  const { kafka, config } = kafkaClient('silent');
  const administration = kafka.admin({ retry: { retries: 1, initialRetryTime: 200 } });
  return await readEndOffsets(administration, topics, (error) => {
    process.stderr.write(
      `Kafka at ${config.brokers.join(', ')} does not answer, so lags are unknown: ${sentenceOf(error)}\n`,
    );
  });
}

async function loadStatus(): Promise<Status> {
  const [{ ROLES }, { withPool }, { readStatus }, { PROJECTIONS }] = await Promise.all([
    import('@milepost/postgres'),
    import('../database.ts'),
    import('@milepost/operations/status'),
    import('@milepost/projections'),
  ]);
  return await withPool(ROLES.operator, (pool) => readStatus(pool, hasKafka() ? askKafka : null, PROJECTIONS));
}

function printStatus({ head_position, projections, dead_letters, sources, ...others }: Status): void {
  const replays: ListedReplay[] = JSON.parse(JSON.stringify(others.replays));
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
  if (replays.length > 0) {
    process.stdout.write('\n');
    printReplays(replays);
  }
  if (sources.length === 0) return;
  process.stdout.write('\n');
  printTable(
    ['source', 'partition', 'next offset', 'end offset', 'lag'],
    sources.map((row) => [row.topic, row.partition, row.next_offset, row.end_offset, row.lag]),
  );
  for (const { topic, partition, fault, fault_at } of sources) {
    if (fault !== null) process.stdout.write(`\n${topic}/${partition} since ${fault_at?.toISOString()}: ${fault}\n`);
  }
}

/** `milepost status`: how far the log, the read tables and the sources have come. */
export function addStatus(program: Command): void {
  program
    .command('status')
    .description('Show how far the event log, the read tables and the sources have come.')
    .option('--json', 'print {head_position, projections, dead_letters, sources, replays}')
    .addHelpText('after', examples('milepost status'))
    .action(async (options: { json?: true }) => {
      const status = await loadStatus();
      if (options.json) printJson({ ...status, replays: JSON.parse(JSON.stringify(status.replays)).map(viewJson) });
      else printStatus(status);
    });
}
