import { GROUPS } from '@milepost/operations/groups';
import type { Operation } from '@milepost/operations/operation';
import type { Command } from 'commander';
import type { Presentations } from './command.ts';

/** What the command line adds to a group of operations. */
interface GroupPresentation {
  presentations?: Presentations;
  /** Operations that only the command line offers. */
  additions?: readonly Operation[];
  /** Adds commands and help texts that do not belong to an operation. */
  register?: (program: Command) => void;
}

/** The groups that have a file of their own. */
const PRESENTATIONS: Readonly<Record<string, () => Promise<GroupPresentation>>> = {
  audit: async () => await import('./audit.ts'),
  'dead-letters': async () => await import('./dead-letters.ts'),
  drivers: async () => await import('./drivers.ts'),
  fleets: async () => await import('./fleets.ts'),
  replay: async () => await import('./replay.ts'),
  status: async () => await import('./status.ts'),
  trace: async () => await import('./trace.ts'),
};

async function addGroup(program: Command, name: string): Promise<void> {
  const group = GROUPS[name];
  if (!group) return;
  const present = PRESENTATIONS[name] ?? (async (): Promise<GroupPresentation> => await import('./small-groups.ts'));
  const [{ operations }, { presentations = {}, additions = [], register }, { addOperation }] = await Promise.all([
    group.load(),
    present(),
    import('./command.ts'),
  ]);
  register?.(program);
  const all = [...operations, ...additions];
  // In the help, the commands that have a presentation come first.
  for (const each of new Set([...Object.keys(presentations), ...all.map((operation) => operation.name)])) {
    const operation = all.find((one) => one.name === each);
    if (operation) addOperation(program, operation, presentations[each]);
  }
}

/**
 * Adds the commands of the group `first`, or of every group if `first` is `all`. For any other group, it adds only the
 * name and description.
 */
export async function addOperations(program: Command, first: string): Promise<void> {
  for (const [name, { description }] of Object.entries(GROUPS)) {
    const section = name === 'projections' || name === 'replay' ? 'Replay:' : 'Operate:';
    program.command(name).description(description).helpCommand(false).helpGroup(section);
  }
  for (const name of first === 'all' ? Object.keys(GROUPS) : [first]) await addGroup(program, name);
}
