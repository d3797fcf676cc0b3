import { commandOf, type Operation } from '@milepost/operations/operation';
import { OPERATIONS } from '@milepost/operations/operations';
import type { Command } from 'commander';
import { addAudit } from './audit.ts';
import { addAuditTrail } from './audit-trail.ts';
import { addOperation, commandAt } from './command.ts';
import { addDeadLetters } from './dead-letters.ts';
import { addDrivers } from './drivers.ts';
import { addKeys } from './keys.ts';
import { addReplay } from './replay.ts';
import { addRetention } from './retention.ts';
import { addSources } from './sources.ts';
import { addStatus } from './status.ts';
import { addTrace } from './trace.ts';

/** What the commands under a word have in common. */
const GROUPS: Readonly<Record<string, string>> = {
  keys: 'Make, list and revoke API keys.',
  replay: 'Build read tables anew from the event log beside the live ones, compare, promote, roll back.',
  'dead-letters': 'Look at the records that could not be stored, and settle them. Nothing is ever deleted.',
  sources: 'Settle the partitions of topics that stand still; `milepost status` shows them, with the cause.',
  operations: 'Show who changed what, when, by command or over HTTP.',
  trace: 'Show every stored event behind an answer, with the duplicates and dead letters about it.',
  drivers: 'Erase a driver.',
};

const ROOMS = [
  addKeys,
  addStatus,
  addReplay,
  addAudit,
  addDeadLetters,
  addAuditTrail,
  addSources,
  addTrace,
  addRetention,
  addDrivers,
];

function hasCommand(program: Command, operation: Operation): boolean {
  let found: Command | undefined = program;
  for (const word of commandOf(operation).split(' ')) found = found?.commands.find((each) => each.name() === word);
  return found !== undefined;
}

/** Adds the commands of all operations, those that nobody presents in a way of their own too. */
export function addOperations(program: Command): void {
  for (const [word, text] of Object.entries(GROUPS)) commandAt(program, [word]).description(text);
  for (const add of ROOMS) add(program);
  for (const operation of OPERATIONS.filter((each) => !hasCommand(program, each))) {
    addOperation(program, operation);
    const [word = ''] = commandOf(operation).split(' ');
    const group = commandAt(program, [word]);
    if (group.description() === '') group.description(`${operation.tag}.`);
  }
}
