import { expect, it } from 'vitest';
import { startCollector } from '../../support/collector.ts';
import { perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { statusOfDrivers } from '../../support/http.ts';
import { addressOf } from '../../support/metrics.ts';
import { Processes } from '../../support/processes.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { freePorts } from '../../support/services/free-port.ts';
import { createWorld } from '../../support/world.ts';

/** Prints the paths of all OpenTelemetry modules that a program loads, except the API, which another library loads. */
const PROBE = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (/@opentelemetry\\/(?!api\\/)/.test(url)) process.stderr.write('loaded: ' + url + '\\n');
      return next(url, context);
    },
  });`)}`;

describeWithPostgres('the API', () => {
  const world = perSuite(createWorld);

  /**
   * Runs the API with these settings until it has responded to the requests, and then stops it. Returns its log and
   * exit code.
   */
  async function serve(settings: Record<string, string>, requests = 1) {
    const own = { DATABASE_URL: world.url, PORT: '0', SHUTDOWN_DELAY_SECONDS: '0', ...settings };
    const api = untilTestEnds(new Processes(own)).start('api');
    const origin = await addressOf(api);
    const key = await world.createKey('acme');
    for (let sent = 0; sent < requests; sent += 1) expect(await statusOfDrivers(origin, key)).toBe(200);
    return { code: await api.stop(), log: api.output() };
  }

  it('loads no SDK, connects to no collector and logs no span if tracing is off', async () => {
    const collector = await startCollector();
    const { code, log } = await serve({
      NODE_OPTIONS: `--import=${PROBE}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SDK_DISABLED: 'true',
    });
    expect(code).toBe(0);
    expect(log).toContain('"message":"request"');
    expect(log).not.toMatch(/loaded: |span_id|trace_id/);
    expect(collector.connections()).toBe(0);
  });

  it('responds even if no collector is listening, and reports this once', async () => {
    const [port] = await freePorts(1);
    // 600 spans need two exports.
    const { code, log } = await serve(
      {
        NODE_OPTIONS: `--import=${PROBE}`,
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      },
      300,
    );
    expect(log).toMatch(/loaded: .*@opentelemetry\/sdk-trace/);
    expect(code).toBe(0);
    expect(log.match(/Spans were not exported\./g)).toHaveLength(1);
  });
});
