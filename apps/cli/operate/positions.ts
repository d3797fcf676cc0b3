import { listSetAside, putBack, setAside } from '@milepost/operations/positions';
import type { Command } from 'commander';
import { laneOption } from '../client/command-line.ts';
import { addOperation } from './command.ts';

/** Adds `milepost positions`. */
export function register(program: Command): void {
  addOperation(program, listSetAside, { noun: 'positions set aside' });
  for (const { operation, done, rows } of [
    { operation: setAside, done: 'is set aside', rows: 'still show it' },
    { operation: putBack, done: 'is put back', rows: 'do not show it yet' },
  ]) {
    addOperation(program, operation, {
      print({ position, needs_replay }, { lane }) {
        const command = `milepost replay start all --promote --accept-differences${laneOption(lane)}`;
        const next = needs_replay ? ` The read tables ${rows}: \`${command}\` builds them again.` : '';
        process.stdout.write(`Position ${position} ${done}.${next}\n`);
      },
    });
  }
}
