import { expect, it } from 'vitest';
import { needsKafkaJars } from '../support/own-broker-suite.ts';
import { needs } from '../support/programs.ts';
import { LOG_ALERTS, SLOW_ALERTS } from '../support/runbooks/log-alerts.ts';
import { commandsOf, Page, pageNames, type Scenario } from '../support/runbooks/page.ts';
import { PROCESS_ALERTS } from '../support/runbooks/process-alerts.ts';
import { TABLE_ALERTS } from '../support/runbooks/table-alerts.ts';
import { TASKS } from '../support/runbooks/tasks.ts';
import { openRunbooks, type RunbookWorld } from '../support/runbooks/world.ts';
import { describeWithKafka } from '../support/service-suites.ts';

const STATE_ALERTS = { ...LOG_ALERTS, ...TABLE_ALERTS };
const NEEDS = { ...needs('curl'), ...needsKafkaJars, timeout: 400_000 };

/** The commands that no scenario runs, by page, each with the reason. */
const NOT_RUN: Readonly<Record<string, { command: string; reason: string }>> = {
  restore: {
    command: 'pg_basebackup --dbname "$DATABASE_URL" --pgdata backup --wal-method stream --checkpoint fast',
    reason: 'test/nightly/backup.test.ts copies a server with the same functions.',
  },
  'fail-over': {
    command: 'psql "STANDBY" --command "SELECT pg_promote()"',
    reason: 'test/nightly/standby.test.ts promotes a standby with the same statement.',
  },
};

/** Runs scenarios one after another on one deployment. Each scenario must run all commands on its page. */
async function runAll(world: RunbookWorld, scenarios: Readonly<Record<string, Scenario>>): Promise<void> {
  for (const [name, scenario] of Object.entries(scenarios)) {
    const page = new Page(name, world);
    const started = performance.now();
    await scenario(page, world).catch((cause: unknown) => {
      throw new Error(`docs/runbooks/${name}.md: ${cause instanceof Error ? cause.message : cause}`, { cause });
    });
    process.stderr.write(`${name}: ${((performance.now() - started) / 1_000).toFixed(1)} s\n`);
    expect(page.unused, `the commands of ${name} that no scenario runs`).toEqual(
      page.name in NOT_RUN ? [NOT_RUN[name]?.command] : [],
    );
  }
}

it('each runbook has one scenario, and each exception is a command on its page', () => {
  expect(Object.keys({ ...SLOW_ALERTS, ...PROCESS_ALERTS, ...STATE_ALERTS, ...TASKS }).sort()).toEqual(pageNames());
  for (const [name, { command }] of Object.entries(NOT_RUN)) expect(commandsOf(name)).toContain(command);
});

describeWithKafka('the commands of the runbooks', (brokers) => {
  it('end the fault of each alert', NEEDS, async () => {
    const world = await openRunbooks(brokers);
    await Promise.all([runAll(world, SLOW_ALERTS), runAll(world, PROCESS_ALERTS)]);
    await runAll(world, STATE_ALERTS);
  });

  it('complete each task', NEEDS, async () => await runAll(await openRunbooks(brokers), TASKS));
});
