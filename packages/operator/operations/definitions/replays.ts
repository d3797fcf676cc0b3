import { type Pool, ROLES } from '@milepost/postgres';
import * as engine from '@milepost/replay';
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';
import { type OperationContext, type OperationResult, operation } from '../language/operation.ts';
import { Refusal } from '../language/refusal.ts';
import { type Action, Flag, pagesOf } from '../language/schemas.ts';
import { Changes, ListedReplay, ProjectionNames, ReplayId, ReplayResource, Throttle } from './replay-schemas.ts';

type Replay = Static<typeof ReplayResource>;

/** Imports the projections only when an operation runs, because help and the reference need only their names. */
const loadProjections = async () => (await import('@milepost/projections')).PROJECTIONS;

/** Runs a request on a replay. Throws Refusal when the request is refused or the replay does not exist. */
async function runRequest<Result>(
  { pool }: OperationContext,
  work: (pool: Pool, projections: Awaited<ReturnType<typeof loadProjections>>) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(pool(ROLES.operator), await loadProjections());
  } catch (error) {
    if (error instanceof engine.ReplayRefusedError)
      throw new Refusal({ code: 'replay_refused', reason: error.refusal });
    if (error instanceof engine.ReplayNotFoundError) throw new Refusal({ code: 'replay_not_found', id: error.id });
    throw error;
  }
}

function actionOf(
  { id, projection, verification }: engine.ReplayView,
  control: engine.ReplayView['next'][number],
): Action {
  if (control === 'roll_back') return { operation: 'replay.rollback', input: { name: projection } };
  const isUnexplained = control === 'promote' && verification?.expected === false;
  return { operation: `replay.${control}`, input: isUnexplained ? { id, accept_differences: true } : { id } };
}

/** Converts a replay to the response, without change reports that an earlier release wrote in another format. */
export function toResource(view: engine.ReplayView, lane: number): Replay {
  const tables = view.verification?.tables.map((table) => ({
    ...table,
    changes: Check(Changes, table.changes) ? table.changes : null,
  }));
  const verification = view.verification && { ...view.verification, tables: tables ?? [] };
  return { ...view, lane, verification, next: view.next.map((control) => actionOf(view, control)) };
}

/** Reads a replay. Throws Refusal when the replay does not exist. */
async function viewOf(context: OperationContext, id: number): Promise<Replay> {
  const view = await runRequest(context, async (pool, projections) => await engine.showReplay(pool, projections, id));
  return toResource(view, context.lane);
}

/** Announces the changed replay to the workers and returns it. */
async function announced(context: OperationContext, id: number): Promise<OperationResult<Replay>> {
  context.announce({ kind: 'replay', id, lane: context.lane });
  return { answer: await viewOf(context, id) };
}

/** Returns a replay that has just been started or was already running. */
async function started(context: OperationContext, { id, created }: engine.Started): Promise<OperationResult<Replay>> {
  const detail = created ? `replay ${id}` : `replay ${id}, already running`;
  return { ...(await announced(context, id)), status: created ? 201 : 200, location: `/replays/${id}`, detail };
}

/** The properties shared by all operations that change a replay. */
const CHANGE = { answer: ReplayResource, change: 'recorded' } as const;
const REFUSALS = ['replay_not_found', 'replay_refused'] as const;

/**
 * Defines an operation whose only input is a replay's id. The response shows the requested change, and a worker soon
 * acts on it.
 */
function control(
  verb: string,
  change: (pool: Pool, id: number) => Promise<void>,
  summary: string,
  description: string,
) {
  return operation({
    ...CHANGE,
    name: `replay.${verb}`,
    path: `/replays/:id/${verb}`,
    summary,
    description,
    input: Type.Object({ id: ReplayId }),
    refusals: REFUSALS,
    async run(context, { id }) {
      await runRequest(context, async (pool) => await change(pool, id));
      return await announced(context, id);
    },
  });
}

export const pause = control(
  'pause',
  engine.pauseReplay,
  'Pause a replay',
  'Lets the running chunks finish, then pauses the replay until it is resumed. Its tables remain.',
);

const resume = control(
  'resume',
  engine.resumeReplay,
  'Resume a replay',
  'Continues a paused replay where it stopped, or a failed one after the cause of the failure has been fixed.',
);

const cancel = control(
  'cancel',
  engine.cancelReplay,
  'Cancel a replay',
  'Ends the replay before its promotion and drops its tables. The live read tables do not change.',
);

export const drop = control(
  'drop',
  engine.dropReplay,
  'Drop the tables of a replay',
  'Drops the generations that the replay has built or replaced. Live generations remain, as do the generations needed to roll back another replay. Afterwards, the promotion of this replay cannot be rolled back.',
);

/** Exported for tests. */
export const promote = operation({
  ...CHANGE,
  name: 'replay.promote',
  path: '/replays/:id/promote',
  summary: 'Promote a replay',
  description:
    'Makes the generations of the replay live; a running replay is promoted after its verification. The replaced generations are kept for a rollback.',
  input: Type.Object({
    id: ReplayId,
    accept_differences: Flag('whether to promote even when rows differ and no version change explains the difference.'),
  }),
  refusals: REFUSALS,
  async run(context, { id, accept_differences: acceptDifferences = false }) {
    await runRequest(context, async (pool) => await engine.promoteReplay(pool, id, { acceptDifferences }));
    return await announced(context, id);
  },
});

/** Exported for tests. */
export const throttle = operation({
  ...CHANGE,
  name: 'replay.throttle',
  arguments: ['id', 'throttle'],
  method: 'PUT',
  path: '/replays/:id/throttle',
  summary: 'Throttle a replay',
  description: 'Limits the speed of a replay. Its worker applies the limit within a second.',
  input: Type.Object({ id: ReplayId, throttle: Throttle }),
  refusals: REFUSALS,
  async run(context, input) {
    await runRequest(context, async (pool) => await engine.throttleReplay(pool, input.id, input.throttle));
    return { answer: await viewOf(context, input.id) };
  },
});

export const start = operation({
  ...CHANGE,
  name: 'replay.start',
  arguments: ['projection'],
  path: '/replays',
  summary: 'Start a replay',
  description:
    'Builds new read tables from the event log alongside the live ones, for one, several or all projections, and compares the two. Readers see no change until the promotion. If the same replay is already running, the response is that replay, which adopts `promote` and `accept_differences`. If that replay is waiting to be promoted, it is verified again with the new `throttle`.',
  input: Type.Object({
    projection: ProjectionNames,
    promote: Flag('whether to promote the replay after its verification if no rows differ unexpectedly.'),
    accept_differences: Flag('with `promote`, whether to promote even when rows differ.'),
    throttle: Type.Optional(Type.Unsafe<Static<typeof Throttle>>({ ...Throttle, default: 'auto' })),
  }),
  inputErrors: ({ promote = false, accept_differences = false }) =>
    accept_differences && !promote ? [{ parameter: 'accept_differences', message: 'Requires `promote`.' }] : [],
  statuses: [
    [201, 'The replay has started; `Location` is its path.'],
    [200, 'The same replay was already running.'],
  ],
  refusals: ['replay_refused'],
  async run(
    context,
    { projection, promote = false, accept_differences: acceptDifferences = false, throttle = 'auto' },
  ) {
    const wanted = { projection, promote, acceptDifferences, throttle, requestedBy: context.operator };
    const replay = await runRequest(context, (pool, projections) => engine.startReplay(pool, projections, wanted));
    return await started(context, replay);
  },
});

export const rollBack = operation({
  ...CHANGE,
  name: 'replay.rollback',
  path: '/projections/:name/roll-back',
  summary: 'Roll projections back',
  description:
    'Restores the generations replaced by the last promotion, so that they are live again. That promotion may have covered one projection, or several projections together. The response is a new replay, which first applies the stored events that these generations lack and then makes the generations live.',
  input: Type.Object({ name: ProjectionNames }),
  statuses: [
    [201, 'The rollback has started; `Location` is the path of its replay.'],
    [200, 'The same rollback was already running.'],
  ],
  refusals: ['replay_refused'],
  async run(context, { name }) {
    const wanted = { projection: name, requestedBy: context.operator };
    const replay = await runRequest(context, (pool, projections) => engine.rollBack(pool, projections, wanted));
    return await started(context, replay);
  },
});

const PAGES = pagesOf(200, 20);

function summarize(view: engine.ReplayView, lane: number) {
  const { verification: _, ...resource } = toResource(view, lane);
  if (view.verification === null) return { ...resource, verification: null };
  const { position, equal, expected, differences } = view.verification;
  return { ...resource, verification: { position, equal, expected, differences } };
}

export const list = operation({
  name: 'replay.list',
  path: '/replays',
  summary: 'List replays',
  description: 'The replays, newest first, with summaries of their verifications.',
  input: Type.Object(PAGES.inputs),
  answer: Type.Object({
    replays: Type.Array(ListedReplay, { description: 'The replays, newest first.' }),
    next_before: PAGES.next_before,
  }),
  async run({ pool, lane }, page) {
    const { entries, next_before } = await PAGES.read(page, async (limit, before) => {
      return await engine.listReplays(pool(ROLES.operator), await loadProjections(), limit, before);
    });
    return { answer: { replays: entries.map((view) => summarize(view, lane)), next_before } };
  },
});

export const showOne = operation({
  name: 'replay.show',
  path: '/replays/:id',
  summary: 'Show a replay',
  description: 'The state of a replay, and the full report of its verification.',
  input: Type.Object({ id: ReplayId }),
  answer: ReplayResource,
  refusals: ['replay_not_found'],
  async run(context, { id }) {
    return { answer: await viewOf(context, id) };
  },
});

export const operations = [rollBack, list, start, showOne, pause, resume, cancel, drop, promote, throttle];
