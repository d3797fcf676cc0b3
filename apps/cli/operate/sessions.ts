import { cancelSession, listSessions } from '@milepost/operations/sessions';
import type { Command } from 'commander';
import { printFields, printJson } from '../output.ts';
import { addOperation } from './command.ts';

/** Adds `milepost sessions`, which lists sessions of PostgreSQL and cancels their statements. */
export function register(program: Command): void {
  addOperation(program, listSessions, {
    async run({ call }, { json }) {
      const { answer } = await call();
      if (json) return printJson(answer);
      const { connections, max_connections, sessions } = answer;
      process.stderr.write(`${connections} of ${max_connections} connections are in use.\n`);
      printFields(sessions, ['pid', 'login', 'application', 'state', 'waits_for', 'seconds', 'statement']);
    },
  });
  addOperation(program, cancelSession, {
    examples: ['milepost sessions cancel 4711'],
    async run({ call }, { json }) {
      const { answer } = await call();
      if (json) return printJson(answer);
      const { pid, ended } = answer;
      process.stderr.write(
        ended === 'statement' ? `The statement of session ${pid} is cancelled.\n` : `Session ${pid} is closed.\n`,
      );
    },
  });
}
