import type { Pool } from '@milepost/postgres';
import Type from 'typebox';
import type { InputError } from '../check.ts';
import type { Mention } from '../refusal.ts';
import { Id } from '../schemas.ts';
import { openDeadLetterIds } from './open.ts';
import { type DeadLetterFilter, filterFields } from './resource.ts';

/** Most dead letters that one request settles. */
export const MOST_LETTERS = 1_000;

/** What is to be settled: ids, or all open ones that match. */
export const choiceFields = {
  ids: Type.Optional(
    Type.Array(Id('an id'), {
      minItems: 1,
      maxItems: MOST_LETTERS,
      description: `1 to ${MOST_LETTERS} ids of dead letters.`,
    }),
  ),
  all_open: Type.Optional(
    Type.Literal(true, {
      description: 'true, or absent: instead of ids, all open ones, or those that match the filters.',
    }),
  ),
  ...filterFields,
};

export const left = Type.Integer({
  description: 'Of `all_open`: how many more match that this request has not come to; ask again for the next ones.',
});

/** Filters go with `all_open` alone, so that a forgotten id settles nothing. */
export function choiceFaults(
  { ids, all_open, ...filter }: { ids?: number[]; all_open?: true } & DeadLetterFilter,
  { parameter: named }: Pick<Mention, 'parameter'>,
): InputError[] {
  const all = named('all_open');
  if (all_open) return ids ? [{ parameter: 'ids', message: `Give ids or ${all}, not both.` }] : [];
  const [parameter] = Object.keys(filter).filter((name) => name in filterFields);
  if (parameter !== undefined) return [{ parameter, message: `Goes with ${all}.` }];
  return ids ? [] : [{ parameter: 'ids', message: `Required: ids of dead letters, or ${all}.` }];
}

/** The first ids of those meant, in the order of their sources, after `skip` of them: no more than one request settles. */
export async function firstIds(pool: Pool, filter: DeadLetterFilter, skip = 0): Promise<number[]> {
  const found: number[] = [];
  let skipped = 0;
  for await (const page of openDeadLetterIds(pool, filter)) {
    const from = Math.min(skip - skipped, page.length);
    skipped += from;
    found.push(...page.slice(from, from + MOST_LETTERS - found.length));
    if (found.length === MOST_LETTERS) break;
  }
  return found;
}
