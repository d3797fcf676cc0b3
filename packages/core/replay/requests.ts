import { statement, type Transaction } from '@milepost/postgres';
import { lockSchema } from '@milepost/postgres/schema-lock';
import type { Projection } from '@milepost/projections/engine';
import { ReplayRefusedError } from './errors.ts';
import { REPLAY, type Replay, type StartRequest } from './replay.ts';

/** The name that requests all projections together. */
export const ALL = 'all';

export interface Started {
  id: number;
  /** False if the same replay was already running. */
  created: boolean;
}

/** Finds the running and waiting replays of these projections. */
const FIND_ACTIVE = statement('find-active-replays', {
  id: REPLAY.id,
  projection: REPLAY.projection,
  kind: REPLAY.kind,
  phase: REPLAY.phase,
  cutoff: REPLAY.cutoff,
})`
  SELECT DISTINCT replay.replay_id AS id, replay.projection, replay.kind, replay.phase, replay.cutoff
  FROM replay_member member JOIN replay replay USING (replay_id)
  WHERE member.active AND member.projection = ANY ($1) ORDER BY 1`;

/**
 * The target is the position of the live generations, not the head, because the live generations may have stopped
 * before a stored event. New generations at a later position could then neither be compared with them nor replace them.
 */
const INSERT_REPLAY = statement('insert-replay', { id: 'number' })`
  WITH live AS (SELECT coalesce(max(checkpoint), 0) AS target FROM generation WHERE live AND projection = ANY ($9))
  INSERT INTO replay (kind, projection, phase, target, cutoff, promote, accept_differences, throttle, requested_by)
  SELECT $1, $2, $3, target, $4::date, $5::boolean, $6::boolean, $7, $8 FROM live RETURNING replay_id AS id`;

/** Returns the requested projections in the order of `projections`. Throws ReplayRefusedError for an unknown name. */
export function projectionsNamed<Named extends Pick<Projection, 'name'>>(
  projections: readonly Named[],
  asked: string,
): Named[] {
  const names = asked.split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== ALL && !projections.some((projection) => projection.name === name));
  if (unknown !== undefined) {
    throw new ReplayRefusedError({ code: 'unknown_projection', name: unknown, known: namesOf(projections) });
  }
  return projections.filter((projection) => names.includes(ALL) || names.includes(projection.name));
}

const namesOf = (projections: readonly Pick<Projection, 'name'>[]) => projections.map(({ name }) => name);

/**
 * Locks out other requests until the transaction ends. Returns the requested projections, their label, and the running
 * replay for the same request, if there is one.
 *
 * @throws ReplayRefusedError for an unknown name, or when another replay of one of the projections is running
 */
export async function openRequest(
  transaction: Transaction,
  projections: readonly Projection[],
  { kind, projection: asked, cutoff = null }: Pick<StartRequest, 'projection' | 'cutoff'> & Pick<Replay, 'kind'>,
): Promise<{ wanted: Projection[]; label: string; same: number | null }> {
  const wanted = projectionsNamed(projections, asked);
  const label = wanted.length === projections.length && wanted.length > 1 ? ALL : namesOf(wanted).join(',');
  // Otherwise, two concurrent requests could start the same replay.
  await transaction.run(lockSchema('request'));
  const active = await transaction.rows(FIND_ACTIVE, [namesOf(wanted)]);
  const same = active.find((each) => each.projection === label && each.kind === kind && each.cutoff === cutoff);
  const [other] = active;
  if (!same && other) {
    const { id, projection, phase } = other;
    throw new ReplayRefusedError({ code: 'in_the_way', id, projection, phase, wanted: kind });
  }
  return { wanted, label, same: same?.id ?? null };
}

/** Inserts a replay and returns its id. */
export async function insertReplay(
  transaction: Transaction,
  request: StartRequest & Pick<Replay, 'kind' | 'phase'>,
  wanted: readonly Projection[],
): Promise<number> {
  const { kind, projection, phase, cutoff, promote, acceptDifferences, throttle, requestedBy } = request;
  const values = [kind, projection, phase, cutoff ?? null, promote, acceptDifferences ?? false, String(throttle)];
  return (await transaction.row(INSERT_REPLAY, [...values, requestedBy, namesOf(wanted)])).id;
}
