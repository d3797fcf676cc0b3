import { afterAll, beforeAll, expect, it } from 'vitest';
import { findingsIn } from '../support/openapi.ts';
import { type OpsWorld, openOps } from '../support/ops.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { createWorld, type World } from '../support/world.ts';

describeWithPostgres("Redocly's recommended rules", () => {
  let world: World;
  let ops: OpsWorld;

  beforeAll(async () => {
    [world, ops] = await Promise.all([createWorld(), openOps()]);
  });
  afterAll(async () => await Promise.all([world?.close(), ops?.close()]));

  it('hold for the OpenAPI document of the API', async () => {
    expect(await findingsIn((await world.get('/openapi.json', { key: null })).body)).toEqual([]);
  });

  it("hold for the operators' OpenAPI document", async () => {
    expect(await findingsIn((await ops.ask('/openapi.json')).body)).toEqual([]);
  });
});
