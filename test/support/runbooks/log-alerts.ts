import { expect } from 'vitest';
import { asAdministrator } from '../topics.ts';
import type { Scenario } from './page.ts';

const HOUR_MILLISECONDS = 3_600_000;
const MORE_THAN_ALLOWED = 101;

/** The scenarios for alerts about the database, the log and its sources. */
export const LOG_ALERTS: Readonly<Record<string, Scenario>> = {
  'database-unavailable': async (page, world) => {
    await Promise.all(world.hosts.map((host) => host.cut()));
    await page.untilMetric('ops', 'milepost_up', (value) => value === 0);
    expect(await world.ask()).toBe(503);
    expect(await page.run('milepost doctor', {}, 1)).toContain('PostgreSQL');
    await Promise.all(world.hosts.map((host) => host.restore()));
    await page.run('milepost migrate');
    expect(await page.run('milepost status')).toContain('position');
    await page.untilMetric('ops', 'milepost_up', (value) => value === 1);
    await expect.poll(() => world.ask()).toBe(200);
  },
  'dead-letters-grow': async (page, world) => {
    await world.topics.publish(
      Array.from({ length: MORE_THAN_ALLOWED }, () => ({ topic: 'trips', key: 'one', value: '{broken', broken: true })),
    );
    const open = async (count: number) =>
      await page.untilMetric('ops', 'milepost_dead_letters_open', (value) => value === count, {
        reason: 'invalid_json',
      });
    await open(MORE_THAN_ALLOWED);
    expect(await page.run('milepost dead-letters summary')).toContain('invalid_json');
    expect(await page.run('milepost dead-letters list')).toContain('invalid_json');
    const ID = await world.value('SELECT max(dead_letter_id) FROM dead_letter');
    expect(await page.run('milepost dead-letters show ID', { ID })).toContain('{broken');
    // The records are still invalid, so the retry stores none of them.
    await page.run('milepost dead-letters retry --all-open', {}, 1);
    await page.run('milepost dead-letters discard ID --note "NOTE"', { ID, NOTE: 'published by mistake' });
    await open(MORE_THAN_ALLOWED - 1);
  },
  'source-stopped': async (page, world) => {
    const { topics } = world;
    const driver = await world.newDriver(30);
    await world.stop('ingest');
    await topics.replaceTrips();
    await world.publishTrips(driver, 3);
    await world.start('ingest');
    const FAULTS = 'SELECT count(*) FROM log_source WHERE stopped';
    await expect.poll(() => world.value(FAULTS)).toBe('3');
    for (const partition of [0, 1, 2]) {
      await page.untilMetric('ops', 'milepost_source_fault', (value) => value === 1, { partition });
    }
    expect(await page.run('milepost status')).toContain('milepost sources accept');
    for (const PARTITION of [0, 1, 2]) {
      const values = { TOPIC: topics.names.trips, PARTITION };
      await page.run('milepost sources accept TOPIC/PARTITION --from beginning', values);
    }
    await page.untilMetric('ops', 'milepost_source_fault', (value) => value === 0);
    await world.untilTrips(driver, 33);
  },
};

/** The scenario that waits for a minute. Other scenarios can run meanwhile, as long as ops can read the database. */
export const SLOW_ALERTS: Readonly<Record<string, Scenario>> = {
  'kafka-finding': async (page, world) => {
    const { topics, brokers: BROKER } = world;
    const values = { BROKER, TOPIC: topics.names.drivers };
    const configEntries = [{ name: 'retention.ms', value: String(HOUR_MILLISECONDS) }];
    const resources = [{ type: 2, name: values.TOPIC, configEntries }];
    await asAdministrator(topics.kafka, async (admin) => await admin.alterConfigs({ validateOnly: false, resources }));
    // Ingest checks the topics when it starts and then every minute.
    await world.stop('ingest');
    await world.start('ingest');
    const labels = { code: 'topic_retention_short' };
    await page.untilMetric('ops', 'milepost_kafka_finding', (value) => value === 1, labels);
    expect(await page.run('milepost status')).toContain('retention.ms');
    const change = 'kafka-configs.sh --bootstrap-server BROKER --alter --topic TOPIC';
    await page.run(`${change} --add-config retention.ms=604800000`, values);
    const findings = async () => (await world.metrics('ops')).series('milepost_kafka_finding', labels);
    await expect.poll(findings).toEqual([]);
    await page.run(`${change} --delete-config retention.ms`, values);
  },
};
