import { type Pool, ROLES } from '@milepost/postgres';
import {
  cancelReplay,
  dropReplay,
  listReplays,
  pauseReplay,
  promoteReplay,
  ReplayNotFoundError,
  ReplayRefusedError,
  ReplayView,
  resumeReplay,
  rollBack as rollBackProjections,
  type Started,
  showReplay,
  startReplay,
  Throttle,
  throttleReplay,
} from '@milepost/replay';
import Type, { type Static } from 'typebox';
import { type Done, type OperationContext, operation } from '../operation.ts';
import { Refusal } from '../refusal.ts';
import { Flag, pageInputs, pageOf, which } from '../schemas.ts';
import { refusalSentence } from './refusals.ts';
import { ProjectionNames, ReplayId, ReplayList } from './schemas.ts';

/** Loaded when an operation runs: help and reference need the names alone. */
const loadProjections = async () => (await import('@milepost/projections')).PROJECTIONS;

/** Runs what a replay may refuse. Throws Refusal. */
async function asked<Result>(
  { mention, pool }: OperationContext,
  work: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(pool(ROLES.operator));
  } catch (error) {
    if (error instanceof ReplayRefusedError)
      throw new Refusal('replay_refused', refusalSentence(error.refusal, mention));
    if (!(error instanceof ReplayNotFoundError)) throw error;
    throw new Refusal(
      'replay_not_found',
      `There is no replay ${which(error.id)}: ${mention.operation('replay.list')} lists them.`,
    );
  }
}

/** The replay as it stands. Throws Refusal. */
async function viewOf(context: OperationContext, id: number): Promise<ReplayView> {
  return await asked(context, async (pool) => await showReplay(pool, await loadProjections(), id));
}

/** Tells the worker, and answers with the replay. Not waited for: a worker finds the request in the database as well. */
async function announced(context: OperationContext, id: number): Promise<Done<ReplayView>> {
  void context.enqueue({ kind: 'replay', id });
  return { answer: await viewOf(context, id) };
}

/** The answer to what starts a replay, or finds that the same one is under way. */
async function started(context: OperationContext, { id, created }: Started): Promise<Done<ReplayView>> {
  const detail = created ? `replay ${id}` : `replay ${id}, under way already`;
  return { ...(await announced(context, id)), status: created ? 201 : 200, location: `/replays/${id}`, detail };
}

/** What changes a replay has in common. */
const CHANGE = { answer: ReplayView, change: 'recorded' } as const;
const REFUSALS = ['replay_not_found', 'replay_refused'] as const;

/** An operation that needs nothing but a replay's id. The answer shows it at once; a worker acts on it a moment later. */
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
      await asked(context, async (pool) => await change(pool, id));
      return await announced(context, id);
    },
  });
}

export const pause = control(
  'pause',
  pauseReplay,
  'Pause a replay',
  'It stops after the work under way, until it is resumed; what it has built stays.',
);

export const resume = control(
  'resume',
  resumeReplay,
  'Resume a replay',
  'A paused one goes on where it stopped; a failed one too, once the cause is mended.',
);

export const cancel = control(
  'cancel',
  cancelReplay,
  'Cancel a replay',
  'Ends it before its promotion and drops what it has built. The live read tables are not touched.',
);

export const drop = control(
  'drop',
  dropReplay,
  'Drop what a replay leaves',
  'Drops the generations that it has built or replaced. What is live stays, and what the roll back of another replay would bring back. After that its own promotion cannot be rolled back.',
);

export const promote = operation({
  ...CHANGE,
  name: 'replay.promote',
  path: '/replays/:id/promote',
  summary: 'Promote a replay',
  description:
    'Makes live what it has built; one under way is made live once it is verified. What was live is kept for a roll back.',
  input: Type.Object({
    id: ReplayId,
    accept_differences: Flag('whether to promote although rows differ and no changed version explains it.'),
  }),
  refusals: REFUSALS,
  async run(context, { id, accept_differences: acceptDifferences = false }) {
    await asked(context, async (pool) => await promoteReplay(pool, id, { acceptDifferences }));
    return await announced(context, id);
  },
});

export const throttle = operation({
  ...CHANGE,
  name: 'replay.throttle',
  arguments: ['id', 'throttle'],
  method: 'PUT',
  path: '/replays/:id/throttle',
  summary: 'Throttle a replay',
  description: 'How fast it may go from now on. The worker that has it in hand follows within a second.',
  input: Type.Object({ id: ReplayId, throttle: Throttle }),
  refusals: REFUSALS,
  async run(context, input) {
    await asked(context, async (pool) => await throttleReplay(pool, input.id, input.throttle));
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
    'Builds the read tables of one projection, of several, or of all, anew from the event log beside the live ones, and compares the two. Nothing changes for readers until it is promoted. Asked while the same one is under way, the answer is that one, which takes over `promote` and `accept_differences`; one that waits is verified anew, with the new `throttle`.',
  input: Type.Object({
    projection: ProjectionNames,
    promote: Flag('whether it promotes itself once verified, unless something unexpected differs.'),
    accept_differences: Flag('with `promote`, whether it may whatever differs.'),
    throttle: Type.Optional(Type.Unsafe<Static<typeof Throttle>>({ ...Throttle, default: 'auto' })),
  }),
  inputErrors: ({ promote = false, accept_differences = false }, { parameter }) =>
    accept_differences && !promote
      ? [{ parameter: 'accept_differences', message: `Goes with ${parameter('promote')}.` }]
      : [],
  statuses: [
    [201, 'Started; `Location` names it.'],
    [200, 'The same replay was under way already.'],
  ],
  refusals: ['replay_refused'],
  async run(
    context,
    { projection, promote = false, accept_differences: acceptDifferences = false, throttle = 'auto' },
  ) {
    const wanted = { projection, promote, acceptDifferences, throttle, requestedBy: context.operator };
    const replay = await asked(context, async (pool) => await startReplay(pool, await loadProjections(), wanted));
    return await started(context, replay);
  },
});

export const rollBack = operation({
  ...CHANGE,
  name: 'replay.rollback',
  path: '/projections/:name/roll-back',
  summary: 'Roll projections back',
  description:
    'Makes the generation live again that the last promotion replaced, of one projection or of several that were promoted together. It is brought up to date first, which is a replay of its own: the answer is that one.',
  input: Type.Object({ name: ProjectionNames }),
  statuses: [
    [201, 'Begun; `Location` names the replay.'],
    [200, 'The same roll back was under way already.'],
  ],
  refusals: ['replay_refused'],
  async run(context, { name }) {
    const wanted = { projection: name, requestedBy: context.operator };
    const replay = await asked(
      context,
      async (pool) => await rollBackProjections(pool, await loadProjections(), wanted),
    );
    return await started(context, replay);
  },
});

const USUAL = 20;

function inShort(view: ReplayView) {
  if (view.verification === null) return { ...view, verification: null };
  const { position, equal, expected, differences } = view.verification;
  return { ...view, verification: { position, equal, expected, differences } };
}

export const list = operation({
  name: 'replay.list',
  path: '/replays',
  summary: 'List replays',
  description: 'The newest replays, newest first, with the results of their verifications in short.',
  input: Type.Object(pageInputs(200, USUAL)),
  answer: ReplayList,
  async run({ pool }, { limit = USUAL, before }) {
    const { entries, next_before } = await pageOf(limit, async (most) => {
      return await listReplays(pool(ROLES.operator), await loadProjections(), most, before);
    });
    return { answer: { replays: entries.map(inShort), next_before } };
  },
});

export const showOne = operation({
  name: 'replay.show',
  path: '/replays/:id',
  summary: 'Show a replay',
  description: 'How it stands, and the whole report of its verification.',
  input: Type.Object({ id: ReplayId }),
  answer: ReplayView,
  refusals: ['replay_not_found'],
  async run(context, { id }) {
    return { answer: await viewOf(context, id) };
  },
});

export const operations = [rollBack, list, start, showOne, pause, resume, cancel, drop, promote, throttle];
