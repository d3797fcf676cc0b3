import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '../services/free-port.ts';
import { guard } from '../services/guard.ts';
import { docker } from './command.ts';

const POLL_MILLISECONDS = 1_000;
const CLI = ['milepost'];
const ALL_PROFILES = ['--profile', 'monitoring', '--profile', 'cluster'];
export const PASSWORDS = ['POSTGRES', 'API', 'INGEST', 'PROJECTOR', 'OPS'].map((name) => `${name}_PASSWORD`);

interface Status {
  head_position: number;
  projections: { lag_events: number }[];
  sources: { end_offset: number | null; lag: number | null }[];
}

/** The stack in docker-compose.yml, with its own project name, image name and published ports. */
export class Stack {
  readonly url: string;
  readonly opsUrl: string;
  readonly prometheusUrl: string;
  readonly opsToken = randomBytes(16).toString('hex');
  readonly #project = `milepost-test-${randomBytes(4).toString('hex')}`;
  readonly #settings: Record<string, string>;
  readonly #release: () => void;

  constructor(port: number, opsPort: number, kafkaPort: number, prometheusPort: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.opsUrl = `http://127.0.0.1:${opsPort}`;
    this.prometheusUrl = `http://127.0.0.1:${prometheusPort}`;
    this.#settings = {
      PORT: String(port),
      OPS_PORT: String(opsPort),
      OPS_TOKEN: this.opsToken,
      KAFKA_PORT: String(kafkaPort),
      MILEPOST_IMAGE: this.#project,
      // The developer's shell and .env must not influence the test.
      ...Object.fromEntries(PASSWORDS.map((name) => [name, randomBytes(16).toString('hex')])),
      SAMPLE_FLEET: 'on',
      RATE_LIMIT_PER_MINUTE: '1000000000',
      REQUIRE_CONTENT_TYPE: '',
      CORS_ORIGINS: '',
      PUBLIC_URL: '',
      SHUTDOWN_DELAY_SECONDS: '',
      LOG_LEVEL: '',
      OTEL_EXPORTER_OTLP_ENDPOINT: '',
      PROMETHEUS_PORT: String(prometheusPort),
      // Docker chooses free ports.
      CLUSTER_PORTS: '0',
      CLUSTER_OPS_PORT: '0',
      LANES: '',
    };
    const passwords = PASSWORDS.map((name) => `${name}=none`);
    const down = ['docker', 'compose', '--project-name', this.#project, ...ALL_PROFILES, 'down', '--volumes'];
    this.#release = guard(['env', ...passwords, ...down]);
  }

  /** The environment that `docker compose` needs to use this stack. */
  get environment(): Record<string, string> {
    return { ...this.#settings, COMPOSE_PROJECT_NAME: this.#project };
  }

  async compose(...parameters: string[]): Promise<string> {
    return await docker(['compose', '--project-name', this.#project, ...parameters], this.#settings);
  }

  /**
   * Resolves with the configuration that Compose produces if one setting is missing. If the setting is required,
   * rejects with Compose's message.
   */
  async composedWithout(setting: string): Promise<string> {
    return await docker(['compose', '--env-file', '/dev/null', 'config'], { ...this.#settings, [setting]: '' });
  }

  /** Runs a command inside a service's running container. */
  async exec(service: string, ...command: string[]): Promise<string> {
    return await this.compose('exec', '-T', service, ...command);
  }

  /** Resolves with what `docker inspect` reports about a service's container, formatted by a template. */
  async inspect(service: string, template: string): Promise<string> {
    const id = await this.compose('ps', '--all', '--quiet', service);
    return await docker(['inspect', '--format', template, id]);
  }

  async status(service = 'ops'): Promise<Status> {
    const status: Status = JSON.parse(await this.exec(service, ...CLI, 'status', '--json'));
    return status;
  }

  /** The number of records in the Kafka topics, according to ingest. */
  async published(service = 'ops'): Promise<number> {
    const { sources } = await this.status(service);
    return sources.reduce((sum, { end_offset }) => sum + (end_offset ?? Number.NaN), 0);
  }

  /** The number of records in the Kafka topics, according to a broker. */
  async countRecords(broker = 'kafka'): Promise<number> {
    const tool = '/opt/kafka/bin/kafka-get-offsets.sh';
    const offsets = await this.exec(broker, tool, '--bootstrap-server', `${broker}:9092`, '--topic', 'milepost.*');
    return offsets.split('\n').reduce((sum, line) => sum + Number(line.split(':').at(-1)), 0);
  }

  /** Resolves when the API's read tables contain everything that has been published to Kafka. */
  async allShown(service = 'ops', broker = 'kafka'): Promise<void> {
    const records = await this.countRecords(broker);
    await this.until(async () => {
      const { projections, sources } = await this.status(service);
      const lags = [...projections.map(({ lag_events }) => lag_events), ...sources.map(({ lag }) => lag)];
      // The status lists a partition only after ingest has claimed it.
      return (await this.published(service)) === records && lags.every((lag) => lag === 0);
    });
  }

  /** Repeats a check until it returns true or the test times out. */
  async until(question: () => Promise<boolean>): Promise<void> {
    while (!(await question())) await delay(POLL_MILLISECONDS);
  }

  /** Removes the containers, the volumes and the image. */
  async close(): Promise<void> {
    await this.compose(...ALL_PROFILES, 'down', '--volumes', '--remove-orphans', '--timeout', '0');
    await docker(['image', 'rm', '--force', this.#project]);
    this.#release();
  }
}

export async function createStack(): Promise<Stack> {
  const [port = 0, opsPort = 0, kafkaPort = 0, prometheusPort = 0] = await freePorts(4);
  return new Stack(port, opsPort, kafkaPort, prometheusPort);
}
