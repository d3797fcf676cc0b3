import type { Job } from '@milepost/operations/operation';
import { listProjections } from '@milepost/operations/projections';
import { ReplayResource } from '@milepost/operations/replay-schemas';
import { list as listReplays } from '@milepost/operations/replays';
import { showStatus } from '@milepost/operations/status';
import { PROJECTIONS } from '@milepost/projections';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, expect, it } from 'vitest';
import { contentOf } from '../../support/answers.ts';
import { auditTrail, describeWithOps, opsProblem, requestOf } from '../../support/ops.ts';
import { deliverAndProject } from '../../support/pipeline.ts';
import { driverProfile, numberedTrips } from '../../support/records.ts';
import { type Worker, workerOf } from '../../support/replay.ts';

describeWithOps('/replays and /projections', (world) => {
  let worker: Worker;

  beforeAll(async () => {
    worker = workerOf(world.pipeline.projector, PROJECTIONS);
    await deliverAndProject(world.pipeline, [driverProfile(), ...numberedTrips(3)]);
  });

  const replayOf = (answer: LightMyRequestResponse, status = 200) => contentOf(answer, ReplayResource, status);
  const show = async (id: number) => replayOf(await world.ask(`/replays/${id}`));
  const generations = async (name: string) => {
    const { projections } = contentOf(await world.ask('/projections'), listProjections.answer);
    return projections.find((projection) => projection.name === name)?.generations;
  };

  /** Starts a replay without a worker to run it. */
  async function start(body: object): Promise<number> {
    const answer = await world.post('/replays', body);
    const { id } = replayOf(answer, 201);
    expect(answer.headers['location']).toBe(`/replays/${id}`);
    return id;
  }

  it('start, promote, roll back and drop a replay', async () => {
    const first = await world.post(
      '/replays',
      { projection: 'trips', throttle: 5_000 },
      { 'milepost-operator': 'jane' },
    );
    const { id, ...started } = replayOf(first, 201);
    expect(started).toMatchObject({ phase: 'filling', throttle: 5_000, requested_by: 'jane', verification: null });
    expect(replayOf(await world.post('/replays', { projection: 'trips' }), 200).id).toBe(id);
    expect(contentOf(await world.ask('/status'), showStatus.answer).replays).toMatchObject([{ id, phase: 'filling' }]);
    const states = await generations('trips');
    expect(states).toMatchObject([
      { state: 'building', checkpoint: 0, replay_id: id, retired_at: null },
      { state: 'live', checkpoint: 4, lag_events: 0, replay_id: null },
    ]);
    // Other tests may have taken numbers.
    const [built, live] = (states ?? []).map(({ generation }) => generation);

    await worker.run(id);
    const { verification, ...verified } = await show(id);
    expect(verified).toMatchObject({ phase: 'waiting', position: 4, target: 4 });
    expect(verification).toMatchObject({
      equal: true,
      tables: [{ projection: 'trips', live: { generation: live, rows: 3 }, replayed: { generation: built, rows: 3 } }],
    });
    const { replays } = contentOf(await world.ask('/replays?limit=1'), listReplays.answer);
    expect(replays).toMatchObject([{ id, verification: { equal: true, differences: 0 } }]);
    expect(replays[0]?.verification).not.toHaveProperty('tables');
    // An earlier release described the changes in a different form.
    await world.pipeline.owner.query(
      `UPDATE replay SET verification = jsonb_set(verification, '{tables,0,changes}', '{"kind": "score_changes"}')`,
    );
    expect((await show(id)).verification?.tables).toMatchObject([{ changes: null }]);

    await world.pipeline.owner.query(`UPDATE replay SET verification = verification || '{"expected": false}'`);
    opsProblem(await world.post(`/replays/${id}/promote`, {}), 409, 'replay_refused');
    const accepted = { accept_differences: true };
    expect(replayOf(await world.post(`/replays/${id}/promote`, accepted))).toMatchObject({
      phase: 'promoting',
      ...accepted,
    });
    expect((await auditTrail(world))[0]).toMatchObject({ action: 'replay.promote', parameters: accepted });
    await worker.run(id);
    expect(await generations('trips')).toMatchObject([
      { generation: built, state: 'live', retired_at: null },
      { generation: live, state: 'retired', retired_at: expect.any(String) },
    ]);
    expect(contentOf(await world.ask('/status'), showStatus.answer).replays).toEqual([]);

    expect(await show(id)).toMatchObject({ phase: 'promoted', can_be_rolled_back: true });
    const rolling = await world.post('/projections/trips/roll-back');
    const back = replayOf(rolling, 201);
    expect(rolling.headers['location']).toBe(`/replays/${back.id}`);
    expect(back).toMatchObject({ kind: 'roll_back', promote: true });
    expect(replayOf(await world.post('/projections/trips/roll-back'), 200).id).toBe(back.id);
    await worker.run(back.id);
    expect(replayOf(await world.post(`/replays/${back.id}/drop`))).toMatchObject({ phase: 'dropping' });
    await worker.run(back.id);
    expect(await generations('trips')).toMatchObject([{ generation: live, state: 'live' }]);
    opsProblem(await world.post('/projections/trips/roll-back'), 409, 'replay_refused');
  });

  it('start several projections together, and record the replay id in the audit trail', async () => {
    const id = await start({ projection: 'trips, fleets' });
    expect((await auditTrail(world))[0]).toMatchObject({ action: 'replay.start', detail: `replay ${id}` });
    replayOf(await world.post('/replays', { projection: 'fleets,trips' }));
    expect((await auditTrail(world))[0]).toMatchObject({ detail: `replay ${id}, already running` });
    await worker.cancel(id);
  });

  it('refuse unknown projections, and for a former projection also name its successor', async () => {
    for (const projection of ['no-such', 'trips,no-such', 'trips,,drivers']) {
      const { errors = [] } = opsProblem(await world.post('/replays', { projection }), 400, 'invalid_parameter');
      expect(errors.map(({ parameter }) => parameter)).toEqual(['projection']);
    }
    const former = opsProblem(await world.post('/replays', { projection: 'trail_paths' }), 400, 'invalid_parameter');
    expect(former.errors?.[0]?.message).toContain('trips now includes trail_paths and trip_events.');
    const { errors } = opsProblem(await world.post('/projections/no-such/roll-back'), 400, 'invalid_parameter');
    expect(errors).toMatchObject([{ parameter: 'name', message: expect.stringContaining('daily_rollups') }]);
  });

  it('announce each change to the workers', async () => {
    const told: Job[] = [];
    const ops = await world.build({ announce: (job) => void told.push(job) });
    const ask = async (path: string, body = {}) => await ops.inject(requestOf(path, { method: 'POST', body }));
    const { id } = (await ask('/replays', { projection: 'trips' })).json();
    await ask(`/replays/${id}/cancel`);
    const job = { kind: 'replay', id, lane: 0 };
    expect(told).toEqual([job, job]);
    await worker.run(id);
  });
});
