import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startCollector } from '../../support/collector.ts';
import { send } from '../../support/http.ts';
import { Processes } from '../../support/processes.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { freePorts } from '../../support/services/free-port.ts';
import { createWorld, type World } from '../../support/world.ts';

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
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(async () => await world?.close());

  /**
   * Runs the API with these settings until it has responded to the requests, and then stops it. Returns its log and
   * exit code.
   */
  async function serve(settings: Record<string, string>, requests = 1) {
    const processes = new Processes({ DATABASE_URL: world.url, PORT: '0', SHUTDOWN_DELAY_SECONDS: '0', ...settings });
    onTestFinished(async () => await processes.end());
    const api = processes.start('api');
    const address = () => /"address":"([^"]+)"/.exec(api.output())?.[1];
    await expect.poll(address).toBeDefined();
    const authorization = `APIKEY ${await world.createKey('acme')}`;
    for (let sent = 0; sent < requests; sent += 1) {
      const headers = { authorization, 'content-type': 'application/json' };
      const answer = await send(address() ?? '', { path: '/api/v1/drivers', headers });
      expect(answer.statusCode).toBe(200);
    }
    const code = await api.stop();
    return { code, log: api.output() };
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
