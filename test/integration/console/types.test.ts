import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generateTypes } from '../../../apps/console/generate-types.ts';
import { openOps } from '../../support/ops.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld } from '../../support/world.ts';

const CONSOLE = join(import.meta.dirname, '../../../apps/console');

describeWithPostgres('what the console knows of the servers', () => {
  it('is what the OpenAPI document of the running API says', async () => {
    const world = await createWorld();
    try {
      const { body } = await world.get('/openapi.json', { key: null });
      await expect(await generateTypes(body)).toMatchFileSnapshot(join(CONSOLE, 'explore/openapi.d.ts'));
    } finally {
      await world.close();
    }
  });

  it("is what the OpenAPI document of the running operators' API says", async () => {
    const world = await openOps();
    try {
      const { body } = await world.ask('/openapi.json', { token: null });
      await expect(await generateTypes(body)).toMatchFileSnapshot(join(CONSOLE, 'operate/openapi.d.ts'));
    } finally {
      await world.close();
    }
  });
});
