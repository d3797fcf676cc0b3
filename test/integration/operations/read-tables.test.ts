import { setTimeout as delay } from 'node:timers/promises';
import { PROJECTIONS } from '@milepost/projections';
import { ALL, startReplay } from '@milepost/replay';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WithPool } from '../../../apps/cli/database.ts';
import { waitForReadTables } from '../../../apps/cli/load-files.ts';
import { renewReadTables } from '../../../apps/cli/up/renew-read-tables.ts';
import { run } from '../../support/command.ts';
import { untilTestEnds } from '../../support/fixtures.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { deliver, deliverAndProject, openPipeline, projectAll } from '../../support/pipeline.ts';
import { describeWithOwnPipeline } from '../../support/pipeline-suites.ts';
import { driverProfile, toNdjson } from '../../support/records.ts';
import { FAST } from '../../support/replay.ts';

const names = PROJECTIONS.map(({ name }) => name).sort();

describeWithOwnPipeline("a command's wait for the read tables", (pipeline) => {
  let skippedMilliseconds = 0;

  beforeEach(async () => {
    skippedMilliseconds = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + skippedMilliseconds);
  });
  afterEach(async () => vi.restoreAllMocks());

  async function waitFor(position: number, { signal } = new AbortController()): Promise<void> {
    const { operator, url } = pipeline;
    await waitForReadTables(async (_role, work) => await work(operator, url), new Map([[0, position]]), signal);
  }

  /** Advances the clock until the command stops waiting. Returns its error. */
  async function failureOf(waiting: Promise<void>): Promise<string> {
    let failure: string | undefined;
    void waiting.then(String, String).then((text) => {
      failure = text;
    });
    // The time spent waiting for responses does not count, so one step might not be enough.
    while (failure === undefined) {
      skippedMilliseconds += 31_000;
      await delay(20);
    }
    return failure;
  }

  it('continues after the database has not responded for longer than the read tables may stand still', async () => {
    const { headPosition } = await deliver(pipeline.ingest, [driverProfile()]);
    const { owner } = pipeline;
    let waiting: Promise<void> | undefined;
    const start = async () => {
      waiting ??= waitFor(headPosition);
    };
    for (const milliseconds of [0, 60_000, 60_000]) {
      // The command has requested the checkpoints, but receives no response while the table is locked.
      const skip = async () => {
        await Promise.race([lockWaiters(owner, 1), waiting]);
        skippedMilliseconds += milliseconds;
      };
      await whileLocked(owner, 'LOCK TABLE generation IN ACCESS EXCLUSIVE MODE', skip, start);
    }
    await projectAll(pipeline);
    await expect(waiting).resolves.toBeUndefined();
  });

  it('ends with an error if no checkpoint moves for half a minute, but not before there are read tables', async () => {
    const { headPosition } = await deliver(pipeline.ingest, [driverProfile()]);
    expect(await failureOf(waitFor(headPosition))).toContain('have not moved for 30 s');
    await pipeline.owner.query('DELETE FROM generation');
    expect(await failureOf(waitFor(headPosition))).toContain(
      `The read tables are at position 0 of ${headPosition} and have not moved for 30 s: is a projector running?`,
    );
  });

  it('ends when the slowest read table has reached the position, even if a projection stopped after it', async () => {
    await waitFor(0);
    const { headPosition } = await deliverAndProject(pipeline, [driverProfile()]);
    await pipeline.owner.query(
      "UPDATE generation SET failure = 'Later.', failed_position = 2 WHERE projection = 'trips'",
    );
    await expect(waitFor(headPosition)).resolves.toBeUndefined();
    await expect(waitFor(headPosition + 1)).rejects.toThrow('Later.');
    await pipeline.owner.query("UPDATE generation SET checkpoint = 0 WHERE live AND projection = 'drivers'");
    await expect(waitFor(headPosition)).rejects.toThrow('Later.');
  });

  it('ends with the reason why it was stopped', async () => {
    const { headPosition } = await deliver(pipeline.ingest, [driverProfile()]);
    const controller = new AbortController();
    const waiting = waitFor(headPosition, controller);
    controller.abort(new Error('Ctrl-C.'));
    await expect(waiting).rejects.toThrow('Ctrl-C.');
  });

  it('waits in every lane that has a position, not only in the first', async () => {
    const second = untilTestEnds(await openPipeline());
    await deliverAndProject(pipeline, [driverProfile()]);
    await second.owner.query("UPDATE generation SET failure = 'The second lane.' WHERE projection = 'trips'");
    const withPool: WithPool = async (_role, work, lane = 0) => {
      const { operator, url } = lane === 0 ? pipeline : second;
      return await work(operator, url);
    };
    const positions = new Map([0, 1].map((lane) => [lane, 1]));
    const { signal } = new AbortController();
    await expect(waitForReadTables(withPool, positions, signal)).rejects.toThrow('The second lane.');
  });

  it('does not hide the counts of stored records if it ends with an error', async () => {
    await pipeline.owner.query("UPDATE generation SET failure = 'It cannot be applied.' WHERE projection = 'trips'");
    const ended = await run(['ingest', '-', '--wait'], { DATABASE_URL: pipeline.url }, toNdjson([driverProfile()]));
    expect(ended).toMatchObject({ code: 1, stdout: '1 read: 1 stored, 0 duplicates, 0 dead letters\n' });
    expect(ended.stderr).toContain('It cannot be applied.');
  });
});

describeWithOwnPipeline('a start of Milepost with read tables of an earlier release', (pipeline) => {
  it.each([
    ['requests nothing if all of them belong to this release', [], undefined, [], []],
    [
      'requests one replay of all of them, with promotion, and names the outdated ones',
      ['trips', 'drivers'],
      undefined,
      [{ id: 1, promote: true, throttle: 'auto', requested_by: 'milepost up', projections: names }],
      [
        'This release rebuilds drivers, trips from the log. The API uses the old tables until the replay ends: `npx milepost replay watch 1`.',
      ],
    ],
    [
      'makes an already running replay promote itself, if it builds all of them',
      ['trips'],
      ALL,
      [{ id: 1, promote: true, requested_by: 'ann' }],
      [expect.stringContaining('milepost replay watch 1`.')],
    ],
    [
      'says why it cannot request a replay and what helps, and starts anyway',
      ['trips'],
      'drivers',
      [{ id: 1, promote: false, requested_by: 'ann' }],
      [
        expect.stringMatching(
          /^trips must be replayed for this release\. Replay 1 of drivers is running\. Try `milepost replay /,
        ),
      ],
    ],
  ])('%s', async (_what, outdated, running, replays, sentences) => {
    const aged = 'UPDATE generation SET version = version - 1 WHERE live AND projection = ANY($1)';
    await pipeline.owner.query(aged, [outdated]);
    if (running !== undefined)
      await startReplay(pipeline.operator, PROJECTIONS, { ...FAST, projection: running, requestedBy: 'ann' });
    const said: string[] = [];
    const withPool: WithPool = async (_role, work) => await work(pipeline.operator, pipeline.url);
    await renewReadTables(withPool, (line) => void said.push(line));
    expect(said).toEqual(sentences);
    const found = await pipeline.rows(
      `SELECT replay_id::integer AS id, promote, throttle, requested_by,
         array_agg(replay_member.projection ORDER BY replay_member.projection) AS projections
       FROM replay JOIN replay_member USING (replay_id) GROUP BY replay_id ORDER BY replay_id`,
    );
    expect(found).toMatchObject(replays);
  });
});
