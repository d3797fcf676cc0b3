import { listOperations } from '@milepost/operations/audit-trail';
import type { Command } from 'commander';
import { addOperation } from './command.ts';
import { type LimitOption, limited, printList } from './pages.ts';

/** `milepost operations`: who changed what, when. */
export function addAuditTrail(program: Command): void {
  addOperation(program, listOperations, {
    ...limited(100_000, 100),
    json: '[{id, at, actor, via, action, parameters, outcome, detail}]',
    examples: ['milepost operations list --limit 20'],
    async run({ call, input }, options: LimitOption) {
      await printList(options, input.before, {
        most: 1_000,
        async read(page) {
          const { operations: entries, next_before } = (await call(page)).answer;
          return { entries, next_before };
        },
        none: 'No operations.',
        header: ['id', 'at', 'actor', 'via', 'action', 'parameters', 'outcome', 'detail'],
        row: (each) => [
          each.id,
          each.at,
          each.actor,
          each.via,
          each.action,
          JSON.stringify(each.parameters),
          each.outcome,
          each.detail,
        ],
      });
    },
  });
}
