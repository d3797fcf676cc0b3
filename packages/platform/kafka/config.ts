import { type Environment, readSettings, type Settings } from '@milepost/service';
import { readBrokers } from './settings/brokers.ts';
import { readSasl, type SaslConfig } from './settings/sasl.ts';
import { readTls, type TlsFiles } from './settings/tls.ts';

export interface KafkaConfig {
  brokers: string[];
  /** Whether connections use TLS, or the contents of the certificate files if there are any. */
  ssl: boolean | TlsFiles;
  sasl: SaslConfig | null;
  groupId: string;
  tripsTopic: string;
  driversTopic: string;
  /** The time after which the group reassigns the partitions of a member that does not send heartbeats. */
  sessionTimeoutMilliseconds: number;
}

/** Reads the brokers' addresses and the topics from the environment. Throws SettingError. */
export function readKafkaConfig(source: Environment | Settings = process.env): KafkaConfig {
  return readSettings(source, (settings) => {
    const ssl = readTls(settings);
    const sasl = readSasl(settings);
    return {
      brokers: readBrokers(settings, { tls: ssl !== false, login: sasl !== null }),
      ssl,
      sasl,
      groupId: settings.get('KAFKA_GROUP_ID'),
      tripsTopic: settings.get('KAFKA_TRIPS_TOPIC'),
      driversTopic: settings.get('KAFKA_DRIVERS_TOPIC'),
      sessionTimeoutMilliseconds: settings.get('KAFKA_SESSION_TIMEOUT_MILLISECONDS'),
    };
  });
}
