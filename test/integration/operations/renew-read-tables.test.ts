import { PROJECTIONS } from '@milepost/projections';
import { ALL, startReplay } from '@milepost/replay';
import { beforeEach, expect, it } from 'vitest';
import type { WithPool } from '../../../apps/cli/load-files.ts';
import { renewReadTables } from '../../../apps/cli/up/renew-read-tables.ts';
import { perTest } from '../../support/fixtures.ts';
import { openPipeline } from '../../support/pipeline.ts';
import { FAST } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const names = PROJECTIONS.map(({ name }) => name);

describeWithPostgres('a start of Milepost with read tables of an earlier release', () => {
  const pipeline = perTest(openPipeline);
  let said: string[];
  beforeEach(async () => {
    said = [];
  });

  const withPool: WithPool = async (_role, work) => await work(pipeline.operator, pipeline.url);
  const renew = async () => await renewReadTables(withPool, (line) => void said.push(line));
  const age = async (projection: string) =>
    await pipeline.owner.query('UPDATE generation SET version = version - 1 WHERE live AND projection = $1', [
      projection,
    ]);
  const requested = async () =>
    (
      await pipeline.owner.query(
        `SELECT replay_id::integer AS id, promote, throttle, requested_by, array_agg(replay_member.projection) AS projections
         FROM replay JOIN replay_member USING (replay_id) GROUP BY replay_id ORDER BY replay_id`,
      )
    ).rows;

  it('requests nothing if all of them belong to this release', async () => {
    await renew();
    expect([said, await requested()]).toEqual([[], []]);
  });

  it('requests one replay of all of them, with promotion, and names the outdated ones', async () => {
    for (const name of ['trips', 'drivers']) await age(name);
    await renew();
    const [replay, ...others] = await requested();
    expect(others).toEqual([]);
    expect(replay).toMatchObject({ promote: true, throttle: 'auto', requested_by: 'milepost up' });
    expect(replay.projections.toSorted()).toEqual(names.toSorted());
    expect(said).toEqual([
      `This release rebuilds drivers, trips from the log. The API uses the old tables until the replay ends: \`npx milepost replay watch ${replay.id}\`.`,
    ]);
  });

  const replayOf = async (projection: string) =>
    await startReplay(pipeline.operator, PROJECTIONS, { ...FAST, projection, requestedBy: 'ann' });

  it('makes an already running replay promote itself, if it builds all of them', async () => {
    await age('trips');
    const { id } = await replayOf(ALL);
    await renew();
    expect(await requested()).toMatchObject([{ id, promote: true, requested_by: 'ann' }]);
    expect(said).toEqual([expect.stringContaining(`milepost replay watch ${id}\`.`)]);
  });

  it('says why it cannot request a replay and what helps, and starts anyway', async () => {
    await age('trips');
    const { id } = await replayOf('drivers');
    await renew();
    expect(await requested()).toMatchObject([{ id, promote: false, requested_by: 'ann' }]);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(
      new RegExp(
        `^trips must be replayed for this release\\. Replay ${id} of drivers is running\\. Try \`milepost replay `,
      ),
    );
  });
});
