import { listSetAside, putBack, setAside } from '@milepost/operations/positions';
import type { Command } from 'commander';
import { laneOption } from '../client/command-line.ts';
import { printFields, printJson } from '../output.ts';
import { addOperation } from './command.ts';

/** Adds `milepost positions`. */
export function register(program: Command): void {
  addOperation(program, listSetAside, {
    json: '[{position, kind, fleet_id, trip_id, set_aside_at, reason}]',
    async run({ call }, { json }) {
      const { positions } = (await call()).answer;
      if (json) return printJson(positions);
      if (positions.length === 0) process.stderr.write('No positions are set aside.\n');
      printFields(positions, ['position', 'kind', 'fleet_id', 'trip_id', 'set_aside_at', 'reason']);
    },
  });
  for (const { operation, done, rows } of [
    { operation: setAside, done: 'is set aside', rows: 'still show it' },
    { operation: putBack, done: 'is put back', rows: 'do not show it yet' },
  ]) {
    addOperation(program, operation, {
      json: '{position, needs_replay}',
      async run({ call }, { json, lane }) {
        const { answer } = await call();
        if (json) return printJson(answer);
        const command = `milepost replay start all --promote --accept-differences${laneOption(lane)}`;
        const next = answer.needs_replay ? ` The read tables ${rows}: \`${command}\` builds them again.` : '';
        process.stdout.write(`Position ${answer.position} ${done}.${next}\n`);
      },
    });
  }
}
