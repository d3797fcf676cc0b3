import { createKey, revokeKey } from '@milepost/operations/keys';
import type { Command } from 'commander';
import { printJson, styled } from '../output.ts';
import { addOperation } from './command.ts';

/** Adds `milepost keys`, which manages the API keys of fleets. */
export function register(program: Command): void {
  addOperation(program, createKey, {
    examples: [
      'milepost keys create --fleet sunrise-delivery',
      "milepost keys create --fleet sunrise-delivery --name 'billing export' --expires 2030-01-31",
      'milepost keys create --fleet sunrise-delivery --rate-limit-per-minute 600',
    ],
    async run({ call }, { json }) {
      const { answer: created } = await call();
      if (json) printJson(created);
      else process.stdout.write(`${created.key}\n`);
      if (created.warning === null) return;
      process.stderr.write(`milepost: warning: ${styled('yellow', created.warning, process.stderr)}\n`);
    },
  });
  addOperation(program, revokeKey, {
    examples: ['milepost keys revoke key_1f6e0a52'],
    async run({ call, input }) {
      await call();
      process.stderr.write(`The API key ${input.id} has been revoked.\n`);
    },
  });
}
