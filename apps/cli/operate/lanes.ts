import { listLanes } from '@milepost/operations/lanes';
import type { Command } from 'commander';
import { printFields, printJson } from '../output.ts';
import { addOperation } from './command.ts';

/** Adds `milepost lanes`. */
export function register(program: Command): void {
  addOperation(program, listLanes, {
    json: '[{lane, schema, fleets}]',
    async run({ call }, { json }) {
      const { lanes } = (await call()).answer;
      if (json) printJson(lanes);
      else printFields(lanes, ['lane', 'schema', 'fleets']);
    },
  });
}
