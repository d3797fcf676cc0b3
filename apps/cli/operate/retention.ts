import { runRetention } from '@milepost/operations/retention';
import type { Command } from 'commander';
import { printJson } from '../output.ts';
import { addOperation } from './command.ts';

/** Adds `milepost retention`, which starts retention immediately instead of at the worker's next hourly run. */
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
