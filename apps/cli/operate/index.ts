import { ROOMS } from '@milepost/operations/rooms';
import type { Command } from 'commander';

/** The rooms whose commands show more than JSON and tables that follow from the answer's schema. */
const PRESENTED: Readonly<Record<string, () => Promise<{ present: (program: Command) => void }>>> = {
  audit: async () => await import('./audit.ts'),
  'dead-letters': async () => await import('./dead-letters.ts'),
  drivers: async () => await import('./drivers.ts'),
  keys: async () => await import('./keys.ts'),
  replay: async () => await import('./replay.ts'),
  retention: async () => await import('./retention.ts'),
  sources: async () => await import('./sources.ts'),
  status: async () => await import('./status.ts'),
  trace: async () => await import('./trace.ts'),
};

/** Read tables built anew have a group of their own in the help. */
const REPLAYS = new Set(['projections', 'replay']);

async function addRoom(program: Command, name: string): Promise<void> {
  const room = ROOMS[name];
  if (!room) return;
  const [{ operations }, presented, { addUnpresented }] = await Promise.all([
    room.load(),
    PRESENTED[name]?.(),
    import('./command.ts'),
  ]);
  presented?.present(program);
  for (const operation of operations) addUnpresented(program, operation);
}

/** Adds the commands of the operations whose room is named `first`, or of `all`; of the others what they are about. */
export async function addOperations(program: Command, first: string): Promise<void> {
  const names = Object.keys(ROOMS);
  const inGroups = [...names.filter((name) => !REPLAYS.has(name)), ...names.filter((name) => REPLAYS.has(name))];
  for (const name of inGroups) {
    const group = REPLAYS.has(name) ? 'Replay:' : 'Operate:';
    program
      .command(name)
      .description(ROOMS[name]?.description ?? '')
      .helpCommand(false)
      .helpGroup(group);
  }
  for (const name of first === 'all' ? names : [first]) await addRoom(program, name);
}
