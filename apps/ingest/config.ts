import {
  flag,
  integer,
  oneOf,
  optionalText,
  type ProcessSettings,
  processSettings,
  readSettings,
  refuse,
} from '@milepost/service';

const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

interface SaslConfig {
  mechanism: (typeof SASL_MECHANISMS)[number];
  username: string;
  password: string;
}

export interface KafkaConfig {
  brokers: string[];
  ssl: boolean;
  sasl: SaslConfig | null;
  groupId: string;
  tripsTopic: string;
  driversTopic: string;
  /** How long the group waits for a member that has gone silent before others take its partitions. */
  sessionTimeoutMilliseconds: number;
}

const SESSION_TIMEOUT = { default: 30_000, minimum: 1_000, maximum: 1_800_000 };

interface IngestConfig extends ProcessSettings {
  kafka: KafkaConfig;
}

function readSasl(environment: NodeJS.ProcessEnv): SaslConfig | null {
  const username = optionalText(environment, 'KAFKA_SASL_USERNAME');
  const password = optionalText(environment, 'KAFKA_SASL_PASSWORD');
  if (username === undefined && password === undefined) return null;
  if (username === undefined || password === undefined) {
    const missing = username === undefined ? 'KAFKA_SASL_USERNAME' : 'KAFKA_SASL_PASSWORD';
    refuse(missing, 'KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD go together: set both or neither.');
    return null;
  }
  return { mechanism: oneOf(environment, 'KAFKA_SASL_MECHANISM', SASL_MECHANISMS, 'plain'), username, password };
}

function readBrokers(environment: NodeJS.ProcessEnv): string[] {
  const brokers = (optionalText(environment, 'KAFKA_BROKERS') ?? '').split(',').map((broker) => broker.trim());
  if (!brokers.every((broker) => /^[^\s,:]+:\d{1,5}$/.test(broker))) {
    refuse('KAFKA_BROKERS', 'KAFKA_BROKERS must name the brokers as host:port, separated by commas.');
  }
  return brokers;
}

/** How to reach Kafka and which topics to read. Throws SettingError. */
export function readKafkaConfig(environment: NodeJS.ProcessEnv = process.env): KafkaConfig {
  return readSettings(environment, () => ({
    brokers: readBrokers(environment),
    ssl: flag(environment, 'KAFKA_SSL', false),
    sasl: readSasl(environment),
    groupId: optionalText(environment, 'KAFKA_GROUP_ID') ?? 'milepost',
    tripsTopic: optionalText(environment, 'KAFKA_TRIPS_TOPIC') ?? 'milepost.trips',
    driversTopic: optionalText(environment, 'KAFKA_DRIVERS_TOPIC') ?? 'milepost.drivers',
    sessionTimeoutMilliseconds: integer(environment, 'KAFKA_SESSION_TIMEOUT_MILLISECONDS', SESSION_TIMEOUT),
  }));
}

/** The settings of the ingest process. Throws SettingError. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): IngestConfig {
  return readSettings(environment, () => ({
    ...processSettings(environment),
    kafka: readKafkaConfig(environment),
  }));
}
