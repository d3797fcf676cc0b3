import { listPlacedFleets } from '@milepost/operations/fleets';
import type { Command } from 'commander';
import { printFields, printJson } from '../output.ts';
import { addOperation } from './command.ts';

/** Adds `milepost fleets`. */
export function register(program: Command): void {
  addOperation(program, listPlacedFleets, {
    json: '[{fleet_id, lane, placed_at}]',
    async run({ call }, { json }) {
      const { fleets } = (await call()).answer;
      if (json) printJson(fleets);
      else printFields(fleets, ['fleet_id', 'lane', 'placed_at']);
    },
  });
}
