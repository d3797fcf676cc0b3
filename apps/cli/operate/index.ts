import { GROUPS } from '@milepost/operations/groups';
import type { Command } from 'commander';

/** The groups whose commands print output that is not derived from the response schema. */
const PRESENTATIONS: Readonly<Record<string, () => Promise<{ register: (program: Command) => void }>>> = {
  audit: async () => await import('./audit.ts'),
  'dead-letters': async () => await import('./dead-letters.ts'),
  drivers: async () => await import('./drivers.ts'),
  fleets: async () => await import('./fleets.ts'),
  keys: async () => await import('./keys.ts'),
  positions: async () => await import('./positions.ts'),
  replay: async () => await import('./replay.ts'),
  retention: async () => await import('./retention.ts'),
  sessions: async () => await import('./sessions.ts'),
  sources: async () => await import('./sources.ts'),
  status: async () => await import('./status.ts'),
  trace: async () => await import('./trace.ts'),
};

/** The groups in the help section about replays. */
const REPLAYS = new Set(['projections', 'replay']);

async function addGroup(program: Command, name: string): Promise<void> {
  const group = GROUPS[name];
  if (!group) return;
  const [{ operations }, presentation, { addDefaultCommand }] = await Promise.all([
    group.load(),
    PRESENTATIONS[name]?.(),
    import('./command.ts'),
  ]);
  presentation?.register(program);
  for (const operation of operations) addDefaultCommand(program, operation);
}

/**
 * Adds the commands of the group `first`, or of every group if `first` is `all`. For any other group, it adds only the
 * name and description.
 */
export async function addOperations(program: Command, first: string): Promise<void> {
  const names = Object.keys(GROUPS);
  const inSections = [...names.filter((name) => !REPLAYS.has(name)), ...names.filter((name) => REPLAYS.has(name))];
  for (const name of inSections) {
    const section = REPLAYS.has(name) ? 'Replay:' : 'Operate:';
    program
      .command(name)
      .description(GROUPS[name]?.description ?? '')
      .helpCommand(false)
      .helpGroup(section);
  }
  for (const name of first === 'all' ? names : [first]) await addGroup(program, name);
}
