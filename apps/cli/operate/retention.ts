import { runRetention } from '@milepost/operations/retention';
import type { Command } from 'commander';
import { printJson } from '../output.ts';
import { addOperation } from './command.ts';

/** `milepost retention`: now what the worker does every hour. */
export function present(program: Command): void {
  addOperation(program, runRetention, {
    json: '{accepted}',
    async run({ call }, { json }) {
      await call();
      if (json) printJson({ accepted: true });
      process.stderr.write(
        'Retention runs as soon as an ops process takes it up: `milepost replay list` shows what it begins.\n',
      );
    },
  });
}
