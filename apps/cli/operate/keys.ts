import * as keys from '@milepost/operations/keys';
import type { Command } from 'commander';
import { printJson } from '../output/json.ts';
import { printTable } from '../output/table.ts';
import { addOperation } from './command.ts';

/** `milepost keys`: who may ask for which fleet. */
export function addKeys(program: Command): void {
  addOperation(program, keys.createKey, {
    examples: ['milepost keys create --fleet sunrise-delivery'],
    async run({ call }, { json }) {
      const { answer: created } = await call();
      if (json) printJson(created);
      else process.stdout.write(`${created.key}\n`);
    },
  });
  addOperation(program, keys.listKeys, {
    json: '[{id, fleet_id, created_at, revoked_at}]',
    examples: ['milepost keys list'],
    async run({ call }, { json }) {
      const { keys: listed } = (await call()).answer;
      if (json) return printJson(listed);
      const rows = listed.map((key) => [key.id, key.fleet_id, key.created_at, key.revoked_at]);
      printTable(['id', 'fleet', 'created', 'revoked'], rows);
    },
  });
  addOperation(program, keys.revokeKey, {
    examples: ['milepost keys revoke key_1f6e0a52'],
    async run({ call, input }) {
      await call();
      process.stderr.write(`${input.id} is revoked.\n`);
    },
  });
}
