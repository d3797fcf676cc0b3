import type { KafkaConfig } from '@milepost/kafka/config';
import { deniedTopic, identityOf } from '@milepost/kafka/errors';
import { type KafkaFinding, replaceKafkaFindings } from '@milepost/kafka/findings';
import { checkTopicConfiguration, readTopicConfiguration } from '@milepost/kafka/topic-checks';
import { prepareTopics, type TopicsAdmin } from '@milepost/kafka/topics';
import type { Pool } from '@milepost/postgres';
import { type Logger, messageOf } from '@milepost/service';
import type { Admin } from 'kafkajs';

/** The interval between checks. Each attempt to read a denied topic briefly interrupts reading the other topics. */
const CHECK_MILLISECONDS = 60_000;

/** A permission or a configuration has changed, so a new consumer may be able to read more topics. */
export class TopicsChangedError extends Error {
  override name = 'TopicsChangedError';
}

/** No topic can be read. The stored findings say why. */
export class NoTopicError extends Error {
  override name = 'NoTopicError';
}

/** The part of Kafka's admin client that inspects topics. */
type WatchAdmin = TopicsAdmin & Pick<Admin, 'describeConfigs'>;

interface TopicWatchOptions {
  pool: Pool;
  config: KafkaConfig;
  logger: Logger;
}

/**
 * Decides which topics each new consumer of this process reads, so that a denied topic does not prevent reading the
 * other topics. Stores the faults of the topics that are not read.
 */
export class TopicWatch {
  readonly #options: TopicWatchOptions;
  readonly #denied = new Map<string, KafkaFinding>();
  #announced: ReadonlySet<string> = new Set();
  #findings: readonly KafkaFinding[] = [];
  #topics: readonly string[] = [];
  #checkedAt = 0;
  #deniedAt = 0;
  /** Whether this consumer also tries to read the denied topics. */
  #isRetrying = false;

  constructor(options: TopicWatchOptions) {
    this.#options = options;
  }

  /**
   * Returns the topics to read.
   *
   * @param admin a connected client
   * @throws NoTopicError when there are none
   */
  async prepare(admin: WatchAdmin): Promise<string[]> {
    if (this.#denied.size > 0 && performance.now() - this.#deniedAt >= CHECK_MILLISECONDS) this.#isRetrying = true;
    const visible = await this.#inspect(admin);
    const topics = visible.filter((topic) => this.#isRetrying || !this.#denied.has(topic));
    this.#topics = topics;
    if (topics.length > 0) return topics;
    await this.report();
    throw new NoTopicError(this.#findings.map(({ message }) => message).join(' '));
  }

  /** Stores the findings. Ignores a database error, because the next check stores the findings again. */
  async report(): Promise<void> {
    await replaceKafkaFindings(this.#options.pool, this.#findings).catch(() => {});
  }

  /** Excludes a topic from the next consumer. */
  deny(topic: string): void {
    this.#isRetrying = false;
    this.#deniedAt = performance.now();
    this.#denied.set(topic, deniedTopic(topic, this.#options.config));
  }

  /** Checks permissions and configurations if due. Throws TopicsChangedError when more topics may be read. */
  async check(admin: WatchAdmin): Promise<void> {
    if (this.#isRetrying) {
      // The consumer has been fetching for a few seconds, so the permission has been granted.
      this.#isRetrying = false;
      this.#denied.clear();
      this.#checkedAt = 0;
    }
    if (performance.now() - this.#checkedAt < CHECK_MILLISECONDS) return;
    const visible = await this.#inspect(admin);
    await this.report();
    if (visible.every((topic) => this.#topics.includes(topic))) return;
    this.#isRetrying = this.#denied.size > 0;
    throw new TopicsChangedError('Topics are read again.');
  }

  /** Replaces the findings and returns the topics visible to this client. */
  async #inspect(admin: WatchAdmin): Promise<string[]> {
    const { config, logger } = this.#options;
    const prepared = await prepareTopics(admin, [config.tripsTopic, config.driversTopic], identityOf(config), 'READ');
    if (prepared.created.length > 0) logger.info({ topics: prepared.created }, 'Topics were created.');
    const warnings: KafkaFinding[] = [];
    for (const topic of prepared.visible) warnings.push(...(await this.#checkConfiguration(admin, topic)));
    this.#findings = [...prepared.findings, ...this.#denied.values(), ...warnings];
    for (const { topic, message, isWarning } of this.#findings) {
      if (!this.#announced.has(message))
        logger[isWarning ? 'warn' : 'error']({ topic, reason: message }, 'There is a Kafka finding.');
    }
    this.#announced = new Set(this.#findings.map(({ message }) => message));
    this.#checkedAt = performance.now();
    return prepared.visible;
  }

  /** Checks a topic's configuration if this client has the optional permission to read it. */
  async #checkConfiguration(admin: WatchAdmin, topic: string): Promise<KafkaFinding[]> {
    try {
      return checkTopicConfiguration(await readTopicConfiguration(admin, topic));
    } catch (error) {
      const details = { topic, reason: messageOf(error) };
      this.#options.logger.debug(details, "The topic's configuration cannot be read.");
      return [];
    }
  }
}
