import { readKafkaConfig } from '@milepost/kafka/config';
import { type Environment, SettingError } from '@milepost/service';
import { expect, it } from 'vitest';
import { readConfig as readApi } from '../api/config.ts';
import { readConfig as readIngest } from '../ingest/config.ts';
import { readConfig as readOps } from '../ops/config.ts';
import { readConfig as readProjector } from '../projector/config.ts';
import { databaseSettings, laneCount, loginPasswords, upSettings } from './config.ts';
import { settingsHelp, settingsOf } from './settings.ts';

const GIVEN: Environment = {
  KAFKA_BROKERS: 'broker:9092',
  KAFKA_SASL_USERNAME: 'a',
  KAFKA_SASL_PASSWORD: 'b',
  OTEL_TRACES_EXPORTER: 'otlp',
};

/** Returns the names of the settings read by a function. */
function namesReadBy(read: (environment: Environment) => unknown): string[] {
  const names = new Set<string>();
  const environment = new Proxy(GIVEN, {
    get(target, name: string) {
      names.add(name);
      return target[name];
    },
    // To find misspelt names, a reader lists all names. Listing a name does not count as reading it.
    ownKeys: () => [],
  });
  try {
    read(environment);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
  }
  return [...names].sort();
}

const READERS: Readonly<Record<string, (environment: Environment) => unknown>> = {
  api: readApi,
  ops: readOps,
  projector: readProjector,
  ingest: readIngest,
  simulate: readKafkaConfig,
  migrate: (environment) => [databaseSettings(environment), laneCount(environment), loginPasswords(environment)],
  up: (environment) => upSettings(() => [readApi, readOps, readIngest].map((read) => read(environment)), environment),
};

it.each(Object.entries(READERS))('the help of %s names exactly the settings that the command reads', (name, read) => {
  expect(settingsOf(name).sort()).toEqual(namesReadBy(read));
});

it('the help on settings breaks lines at 110 columns', () => {
  expect(
    Math.max(
      ...settingsHelp('ops')
        .split('\n')
        .map(({ length }) => length),
    ),
  ).toBeLessThanOrEqual(110);
});
