import { cancelSession, listSessions } from '@milepost/operations/sessions';
import type { Command } from 'commander';
import { printFields } from '../output.ts';
import { addOperation } from './command.ts';

/** Adds `milepost sessions`, which lists PostgreSQL's sessions and cancels their statements. */
export function register(program: Command): void {
  addOperation(program, listSessions, {
    print({ connections, max_connections, sessions }) {
      process.stderr.write(`${connections} of ${max_connections} connections are in use.\n`);
      printFields(sessions, ['pid', 'login', 'application', 'state', 'waits_for', 'seconds', 'statement']);
    },
  });
  addOperation(program, cancelSession, {
    examples: ['milepost sessions cancel 4711'],
    print({ pid, ended }) {
      process.stderr.write(
        ended === 'statement'
          ? `The statement of session ${pid} has been cancelled.\n`
          : `Session ${pid} has been closed.\n`,
      );
    },
  });
}
