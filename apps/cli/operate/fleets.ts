import { moveFleet } from '@milepost/fleet-move';
import { RolePools } from '@milepost/postgres/lanes/role-pools';
import type { Command } from 'commander';
import { examples, fleetId, wholeNumber } from '../arguments.ts';
import { openPool, withDirectory } from '../database.ts';
import { operatingSystemUser, recorded } from '../operator.ts';
import { printJson, printText } from '../output.ts';
import { processSignal } from '../process.ts';
import { withProgressBar } from '../progress.ts';
import { settingsHelp } from '../settings.ts';
import { commandAt } from './command.ts';

const MOVE_NOTES = `
The command copies the fleet's stored events while both lanes respond to requests and store records. Then it
compares both lanes and changes the fleet's lane, holding back the fleet's new records, usually for a few seconds.
After an error or Ctrl-C, the fleet stays in its lane. If the command was killed, run it again to continue the
move. The events get new positions in the new lane. The former lane keeps its copy of the fleet, which no request reads
(docs/lanes.md).`;

async function move(fleet: string, toLane: number, { json }: { json?: true }): Promise<void> {
  const signal = processSignal();
  const moved = await withProgressBar('Copying', ' positions', async (onProgress) => {
    return await withDirectory(async (directory) => {
      const pools = new RolePools(directory, openPool);
      try {
        const options = { directory, lanes: await pools.list(), fleetId: fleet, toLane, signal, onProgress };
        return await recorded(
          directory,
          { action: 'fleets.move', parameters: { fleet_id: fleet, to_lane: toLane } },
          async () => await moveFleet({ ...options, operator: operatingSystemUser() }),
          ({ stored_events, from_lane }) => `${stored_events} stored events, from lane ${from_lane}`,
        );
      } finally {
        await pools.end();
      }
    });
  });
  if (json) return printJson(moved);
  const { stored_events, from_lane, to_lane, held_seconds } = moved;
  printText(
    `The fleet ${fleet} is in lane ${to_lane}, with ${stored_events} stored events. Its new records waited for ${held_seconds.toFixed(1)} s.\nLane ${from_lane} keeps its copy of the fleet, which no request reads.`,
  );
}

/** Adds `milepost fleets move`. */
export function register(program: Command): void {
  commandAt(program, ['fleets', 'move'])
    .summary('Move a fleet to another lane.')
    .description(
      'Move a fleet, its log and its read tables to another lane, while the lanes serve requests and store records.',
    )
    .argument('<fleet>', 'the id of the fleet', fleetId)
    .argument('<lane>', 'the number of the new lane', wholeNumber(0))
    .option('--json', 'print {fleet_id, from_lane, to_lane, stored_events, held_seconds}')
    .addHelpText('after', MOVE_NOTES)
    .addHelpText('after', settingsHelp('archive'))
    .addHelpText('after', examples('milepost fleets move sunrise-delivery 2'))
    .action(move);
}
