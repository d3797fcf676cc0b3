import { runRetention } from '@milepost/operations/retention';
import type { Command } from 'commander';
import { printJson } from '../output.ts';
import { addOperation } from './command.ts';

/** Adds `milepost retention`, which immediately starts the retention that the worker otherwise runs every hour. */
export function register(program: Command): void {
  addOperation(program, runRetention, {
    json: '{accepted}',
    async run({ call }, { json }) {
      await call();
      if (json) printJson({ accepted: true });
      process.stderr.write(
        'Retention runs when a worker is free. `milepost replay list` shows the replays that it starts.\n',
      );
    },
  });
}
