import { expect, it } from 'vitest';
import { perSuite } from '../support/fixtures.ts';
import { openOps } from '../support/ops.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { importTool } from '../support/tools.ts';
import { createWorld } from '../support/world.ts';

/** The parts of Redocly's linter used by the checks. */
interface Redocly {
  createConfig: (rules: { extends: string[] }) => Promise<unknown>;
  lintFromString: (document: {
    source: string;
    config: unknown;
  }) => Promise<{ ruleId: string; message: string; location: { pointer?: string }[] }[]>;
}

/** Lists where an OpenAPI document violates Redocly's recommended rules. */
async function findingsIn(document: string): Promise<string[]> {
  const { createConfig, lintFromString } = await importTool<Redocly>('@redocly/openapi-core');
  const config = await createConfig({ extends: ['recommended'] });
  const findings = await lintFromString({ source: document, config });
  return findings.map(({ ruleId, message, location: [place] }) => `${ruleId} at ${place?.pointer}: ${message}`);
}

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
