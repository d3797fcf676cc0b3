import { expect, it } from 'vitest';
import { perSuite } from '../support/fixtures.ts';
import { findingsIn } from '../support/openapi.ts';
import { openOps } from '../support/ops.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { createWorld } from '../support/world.ts';

describeWithPostgres("Redocly's recommended rules", () => {
  const world = perSuite(createWorld);
  const ops = perSuite(openOps);

  it('hold for the OpenAPI document of the API', async () => {
    expect(await findingsIn((await world.get('/openapi.json', { key: null })).body)).toEqual([]);
  });

  it("hold for the operators' OpenAPI document", async () => {
    expect(await findingsIn((await ops.ask('/openapi.json')).body)).toEqual([]);
  });
});
