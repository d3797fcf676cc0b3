import { integer, optionalText, readSettings } from '@milepost/service';
import { readBrokers } from './settings/brokers.ts';
import { readSasl, type SaslConfig } from './settings/sasl.ts';
import { readTls, type TlsFiles } from './settings/tls.ts';

export interface KafkaConfig {
  brokers: string[];
  /** Whether connections use TLS. With certificate files, the contents of these files. */
  ssl: boolean | TlsFiles;
  sasl: SaslConfig | null;
  groupId: string;
  tripsTopic: string;
  driversTopic: string;
  /** The time after which the group reassigns the partitions of a member that sends no heartbeats. */
  sessionTimeoutMilliseconds: number;
}

const SESSION_TIMEOUT = { default: 30_000, minimum: 1_000, maximum: 1_800_000 };

/** Reads the brokers' addresses and the topics from the environment. Throws SettingError. */
export function readKafkaConfig(environment: NodeJS.ProcessEnv = process.env): KafkaConfig {
  return readSettings(environment, () => {
    const ssl = readTls(environment);
    const sasl = readSasl(environment);
    return {
      brokers: readBrokers(environment, { tls: ssl !== false, login: sasl !== null }),
      ssl,
      sasl,
      groupId: optionalText(environment, 'KAFKA_GROUP_ID') ?? 'milepost',
      tripsTopic: optionalText(environment, 'KAFKA_TRIPS_TOPIC') ?? 'milepost.trips',
      driversTopic: optionalText(environment, 'KAFKA_DRIVERS_TOPIC') ?? 'milepost.drivers',
      sessionTimeoutMilliseconds: integer(environment, 'KAFKA_SESSION_TIMEOUT_MILLISECONDS', SESSION_TIMEOUT),
    };
  });
}
