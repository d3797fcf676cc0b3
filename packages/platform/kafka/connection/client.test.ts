import { describe, expect, it, onTestFinished } from 'vitest';
import { startRecordingServer } from '../../../../test/support/recording-server.ts';
import { readKafkaConfig } from '../config.ts';
import { connectionOptions } from './client.ts';

const BROKERS = { KAFKA_BROKERS: 'localhost:9092' };

describe('a login at the brokers', () => {
  it('sends the extensions in the settings with each token', async () => {
    const server = await startRecordingServer(() => Response.json({ access_token: 'issued', expires_in: 60 }));
    onTestFinished(server.close);
    const { sasl } = connectionOptions(
      readKafkaConfig({
        ...BROKERS,
        KAFKA_SASL_MECHANISM: 'oauthbearer',
        KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL: `${server.origin}/token`,
        KAFKA_SASL_OAUTHBEARER_CLIENT_ID: 'milepost',
        KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET: 'hush',
        KAFKA_SASL_OAUTHBEARER_EXTENSIONS: 'logicalCluster=lkc-1,identityPoolId=pool-2',
      }),
    );
    if (!sasl || !('oauthBearerProvider' in sasl)) throw new Error('The login sends no tokens.');
    const extensions = { logicalCluster: 'lkc-1', identityPoolId: 'pool-2' };
    for (let login = 0; login < 2; login += 1) {
      expect(await sasl.oauthBearerProvider()).toEqual({ value: 'issued', extensions });
    }
  });

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'])('sends the user name and the password: %s', (mechanism) => {
    const login = { KAFKA_SASL_USERNAME: 'me', KAFKA_SASL_PASSWORD: 'hush' };
    const config = readKafkaConfig({ ...BROKERS, ...login, KAFKA_SASL_MECHANISM: mechanism });
    expect(connectionOptions(config).sasl).toEqual({ mechanism, username: 'me', password: 'hush' });
  });
});
