import { expect, it } from 'vitest';
import { ALERTS } from '../../../deploy/monitoring/alerts.ts';
import { DASHBOARDS } from '../../../deploy/monitoring/dashboards.ts';
import { untilTestEnds } from '../../support/fixtures.ts';
import { statusOfDrivers } from '../../support/http.ts';
import { openMeasured } from '../../support/measured-processes.ts';
import { addressOf, metricsUrl } from '../../support/metrics.ts';
import type { RunningProcess } from '../../support/processes.ts';
import { needs } from '../../support/programs.ts';
import { promtool, startPrometheus } from '../../support/prometheus.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithKafka } from '../../support/service-suites.ts';

it('the rules are valid, and each alert fires or stays quiet as its unit tests say', needs('promtool'), () => {
  promtool('check', 'rules', 'milepost.rules.yml');
  promtool('test', 'rules', 'milepost.rules.test.yml');
});

describeWithKafka('a Prometheus that scrapes a running Milepost', (brokers) => {
  it('has data for every query in every dashboard, and every metric in every alert', needs('prometheus'), async () => {
    const { topics, processes } = await openMeasured(brokers);
    const hostOf = async (running: RunningProcess) => new URL(await metricsUrl(running)).host;
    const api = processes.start('api');
    const origin = await addressOf(api);
    const hosts = {
      'milepost-api': await hostOf(api),
      'milepost-ingest': await hostOf(processes.start('ingest')),
      'milepost-projector': await hostOf(processes.start('projector')),
      'milepost-ops': new URL(await addressOf(processes.start('ops'))).host,
    };
    const prometheus = untilTestEnds(await startPrometheus(hosts));

    await topics.publish(
      Array.from({ length: 10 }, (_, index) => ({
        topic: 'trips' as const,
        key: `${index}`,
        value: JSON.stringify(tripProcessed({ source_trip_id: `trip-${index}` })),
        broken: false,
      })),
    );
    const applied = 'max(milepost_projection_checkpoint)';
    await expect.poll(async () => (await prometheus.query(applied))[0]?.value[1]).toBe('10');
    const key = (await processes.run('keys', 'create', '--fleet', 'acme')).trim();
    expect(await statusOfDrivers(origin, key)).toBe(200);
    await processes.run('audit');
    await processes.run('replay', 'start', 'drivers');

    const up = async () => (await prometheus.query('up')).map(({ value: [, value] }) => value);
    await expect.poll(up).toEqual(['1', '1', '1', '1']);
    const expressions = DASHBOARDS.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries)).map(
      ([expression]) => expression.replaceAll('$__rate_interval', '15s'),
    );
    const empty = async () => {
      const results = await Promise.all(
        expressions.map(async (expression) => ({ expression, result: await prometheus.query(expression) })),
      );
      return results.filter(({ result }) => result.length === 0).map(({ expression }) => expression);
    };
    await expect.poll(empty).toEqual([]);

    const known = await prometheus.metricNames();
    for (const { name, expression } of ALERTS) {
      const metrics = Array.from(expression.matchAll(/\b(?:milepost|nodejs|process)_\w+/g), ([metric]) => metric);
      const families = metrics.map((metric) => metric.replace(/_(bucket|sum|count)$/, ''));
      expect(
        families.filter((family) => !known.has(family)),
        name,
      ).toEqual([]);
      await prometheus.query(expression);
    }
    const firing = await prometheus.query('ALERTS{alertstate="firing"}');
    expect(firing.map(({ metric }) => metric['alertname'])).toEqual([]);
  });
});
