import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROLES } from '@milepost/postgres';
import { expect, it, onTestFinished } from 'vitest';
import type { WithPool } from '../../../apps/cli/load-files.ts';
import { loadSampleFleet } from '../../../apps/cli/up/sample-fleet.ts';
import { openPipeline, projectAll } from '../../support/pipeline.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('the sample fleet', () => {
  it('is completed by the next start after a load that failed part of the way, and is then loaded no more', async () => {
    const pipeline = await openPipeline();
    onTestFinished(pipeline.close);
    const home = await mkdtemp(join(tmpdir(), 'milepost-sample-fleet-'));
    onTestFinished(async () => await rm(home, { recursive: true }));
    const withPool: WithPool = async (role, work) => {
      // No projector runs beside this test.
      if (role === ROLES.operator) await projectAll(pipeline);
      return await work(role === ROLES.operator ? pipeline.operator : pipeline.ingest, pipeline.url);
    };
    const load = async () => {
      const said: string[] = [];
      await loadSampleFleet(withPool, home, new AbortController().signal, (line) => said.push(line));
      return said;
    };
    const counted = async () => {
      const { rows } = await pipeline.owner.query('SELECT count(*)::integer AS stored FROM stored_event');
      return rows[0].stored;
    };
    await pipeline.owner.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no more events'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON stored_event
        FOR EACH ROW WHEN (new.position > 3000) EXECUTE FUNCTION refuse()`);
    await expect(load()).rejects.toThrow('no more events');
    const part = await counted();
    expect(part).toBeGreaterThan(0);
    expect(part).toBeLessThanOrEqual(3_000);
    await pipeline.owner.query('DROP TRIGGER refuse ON stored_event');
    const [begun, ended] = await load();
    const added = (await counted()) - part;
    expect(added).toBeGreaterThan(0);
    expect(begun).toContain('Loading a sample fleet');
    expect(ended).toMatch(new RegExp(`^Loaded \\d+ records: ${added} stored, `));
    await expect(access(join(home, 'sample-fleet.ndjson'))).rejects.toThrow('ENOENT');
    expect(await load()).toEqual([]);
  });
});
