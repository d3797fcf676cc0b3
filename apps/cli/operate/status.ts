import { showStatus } from '@milepost/operations/status';
import type { Command } from 'commander';
import type { Static } from 'typebox';
import { printJson } from '../output/json.ts';
import { printTable } from '../output/table.ts';
import { printReplays } from '../replay/table.ts';
import { viewJson } from '../replay/view-json.ts';
import type { Json } from './client.ts';
import { addOperation } from './command.ts';

function printStatus(status: Json<Static<typeof showStatus.answer>>): void {
  const { head_position, projections, dead_letters, sources, replays } = status;
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
    if (fault !== null) process.stdout.write(`\n${topic}/${partition} since ${fault_at}: ${fault}\n`);
  }
}

/** `milepost status`: how far the log, the read tables and the sources have come. */
export function addStatus(program: Command): void {
  addOperation(program, showStatus, {
    examples: ['milepost status', 'milepost status --server https://ops.example:3001'],
    async run({ call }, { json }) {
      const { answer: status } = await call();
      if (json) printJson({ ...status, replays: status.replays.map(viewJson) });
      else printStatus(status);
    },
  });
}
