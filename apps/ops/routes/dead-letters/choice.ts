import { type OpenDeadLetterFilter, openDeadLetterIds } from '@milepost/operations/dead-letters';
import type { Pool } from '@milepost/postgres';
import { Problem } from '../../problems/problem.ts';
import { type FilterFields, toFilter } from './filter.ts';
import { MOST_LETTERS } from './schemas.ts';

/** What a request is to settle. */
export type Choice = { ids: number[] } | { filter: OpenDeadLetterFilter };

function refuse(parameter: string, message: string): never {
  throw new Problem('invalid_parameter', `Wrong or missing: ${parameter}.`, { errors: [{ parameter, message }] });
}

/**
 * Reads the choice between ids and all open ones. Filters go with `all_open` alone, so that forgotten ids settle nothing.
 * Throws the problem `invalid_parameter`.
 */
export function readChoice({ ids, all_open, ...fields }: { ids?: number[]; all_open?: true } & FilterFields): Choice {
  const filter = toFilter(fields);
  if (all_open && ids) refuse('ids', 'Give ids or all_open, not both.');
  if (all_open) return { filter };
  const [name] = Object.keys(filter);
  if (name !== undefined) refuse(name === 'fleet' ? 'fleet_id' : name, 'Goes with all_open.');
  return ids ? { ids: [...new Set(ids)] } : refuse('ids', 'Required: ids of dead letters, or all_open.');
}

/** The first ids of those meant, in the order of their sources, after `skip` of them: no more than one request settles. */
export async function firstIds(pool: Pool, filter: OpenDeadLetterFilter, skip = 0): Promise<number[]> {
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
