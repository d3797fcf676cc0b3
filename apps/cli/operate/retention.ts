import { runRetention } from '@milepost/operations/retention';
import type { Command } from 'commander';
import { printJson } from '../output/json.ts';
import { addOperation } from './command.ts';

const NOTES = `The worker of an ops process does this every hour anyway. It leaves rows out of the read tables that nobody can ask for any
more, by a replay of each table concerned, and drops generations that were kept long enough for a roll back. The event log
keeps everything. \`milepost replay list\` shows the replays that it begins, asked for by \`retention\`.`;

/** `milepost retention`: now what the worker does every hour. */
export function addRetention(program: Command): void {
  addOperation(program, runRetention, {
    description: 'Have the worker leave old rows out of the read tables now, and drop generations kept long enough.',
    json: 'print {accepted}',
    notes: NOTES,
    examples: ['milepost retention'],
    async run({ call }, { json }) {
      await call();
      if (json) printJson({ accepted: true });
      process.stderr.write(
        'Retention runs as soon as an ops process takes it up: `milepost replay list` shows what it begins.\n',
      );
    },
  });
}
