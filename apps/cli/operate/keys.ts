import { createKey, listKeys, revokeKey } from '@milepost/operations/keys';
import type { Command } from 'commander';
import { printFields, printJson, warn } from '../output.ts';
import { addOperation } from './command.ts';

/** `milepost keys`: who may ask for which fleet. */
export function present(program: Command): void {
  addOperation(program, createKey, {
    examples: ['milepost keys create --fleet sunrise-delivery'],
    async run({ call }, { json }) {
      const { answer: created } = await call();
      if (json) printJson(created);
      else process.stdout.write(`${created.key}\n`);
      if (created.warning !== null) warn(created.warning);
    },
  });
  addOperation(program, listKeys, {
    json: '[{id, fleet_id, created_at, revoked_at}]',
    async run({ call }, { json }) {
      const { keys } = (await call()).answer;
      if (json) printJson(keys);
      else printFields(keys, ['id', 'fleet_id', 'created_at', 'revoked_at']);
    },
  });
  addOperation(program, revokeKey, {
    examples: ['milepost keys revoke key_1f6e0a52'],
    async run({ call, input }) {
      await call();
      process.stderr.write(`${input.id} is revoked.\n`);
    },
  });
}
