import type { Command } from 'commander';
import { addCreate } from './create.ts';
import { addList } from './list.ts';
import { addRevoke } from './revoke.ts';

/** `milepost keys`: who may ask for which fleet. */
export function addKeys(program: Command): void {
  const keys = program.command('keys').description('Make, list and revoke API keys.').helpCommand(false);
  addCreate(keys);
  addList(keys);
  addRevoke(keys);
}
