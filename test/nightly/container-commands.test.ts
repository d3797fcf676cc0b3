import { expect, it } from 'vitest';
import { describeWithCompose } from '../support/compose/suite.ts';
import { openFolder, untilTestEnds } from '../support/fixtures.ts';
import { needs } from '../support/programs.ts';
import { checkOut, README } from '../support/readme/check-out.ts';
import { Shell } from '../support/readme/shell.ts';
import { readmeSteps } from '../support/readme/steps.ts';
import { portSettings } from '../support/services/free-port.ts';

const [, chapter = ''] = /^## With containers$(.*?)^## /ms.exec(README) ?? [];
const commands = readmeSteps(chapter).map(({ command }) => command);

await describeWithCompose('in a fresh checkout, the README', () => {
  it('has container commands that work', needs('git'), async () => {
    expect(commands.at(-1)).toContain('docker compose');
    const folder = untilTestEnds(await openFolder()).path;
    checkOut(folder);
    const compose = new Shell(folder, {
      ...process.env,
      COMPOSE_PROJECT_NAME: `milepost-readme-${process.pid}`,
      ...(await portSettings('PORT', 'OPS_PORT', 'KAFKA_PORT')),
    });
    try {
      for (const command of commands) await compose.run(command);
    } finally {
      await compose.run('docker compose down --volumes --timeout 1');
      await compose.end();
    }
  });
});
