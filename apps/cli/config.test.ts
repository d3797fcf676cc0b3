import { SettingError } from '@milepost/service';
import { describe, expect, it } from 'vitest';
import { childEnvironment, databaseSettings, upSettings } from './config.ts';

describe('settings of the command', () => {
  it('has the documented defaults', () => {
    expect(upSettings(() => {}, {})).toEqual({
      databaseUrl: undefined,
      home: `${process.cwd()}/.milepost`,
      host: '127.0.0.1',
      port: 3000,
      opsPort: 3001,
      opsToken: undefined,
      sampleFleet: true,
      kafka: false,
    });
  });

  it('refuses what makes no sense instead of falling back to a default', () => {
    expect(() => upSettings(() => {}, { PORT: '80.5' })).toThrow(SettingError);
    expect(() => upSettings(() => {}, { PORT: '3001' })).toThrow('PORT and OPS_PORT must differ');
    expect(() => upSettings(() => {}, { SAMPLE_FLEET: 'of' })).toThrow(SettingError);
    expect(() => databaseSettings({ DATABASE_URL: 'localhost:5432' })).toThrow(SettingError);
  });

  it("gives children their database, and the operators' token to the one that needs it, whatever the environment named", () => {
    const own = { DATABASE_URL: '', OPS_TOKEN: 'theirs', LOG_LEVEL: 'debug', OTHER: 'kept' };
    const shared = {
      DATABASE_URL: 'postgresql://a/b',
      SHUTDOWN_DELAY_SECONDS: '0',
      LOG_LEVEL: 'debug',
      OTHER: 'kept',
    };
    expect(childEnvironment('ops', 'postgresql://a/b', 'mo_x', own)).toEqual({ ...shared, OPS_TOKEN: 'mo_x' });
    for (const name of ['api', 'ingest', 'projector'] as const) {
      expect(childEnvironment(name, 'postgresql://a/b', 'mo_x', own)).toEqual(shared);
    }
  });
});
