import type { Settings } from './read-settings.ts';
import { tracingSettings } from './tracing-settings.ts';

/** The message about a URL that is useless without DATABASE_URL. */
const withoutDatabase = (name: string) => `${name} is set without DATABASE_URL: set both, or DATABASE_URL alone.`;

/**
 * Reads the database's URL. If DATABASE_URL_DIRECT is set, DATABASE_URL is the URL of a pooler in transaction mode.
 *
 * @param use `pooled` for a process whose sessions keep nothing between transactions, `direct` for all others
 */
export function databaseUrl(settings: Settings, use: 'pooled' | 'direct'): string | undefined {
  const url = settings.get('DATABASE_URL');
  const direct = settings.get('DATABASE_URL_DIRECT');
  if (direct === undefined) return url;
  if (url === undefined) return settings.refuse('DATABASE_URL_DIRECT', withoutDatabase('DATABASE_URL_DIRECT'));
  if (use === 'direct') return direct;
  const pooled = new URL(url);
  pooled.searchParams.set('pool_mode', 'transaction');
  return pooled.href;
}

/** Reads the URL of the standbys from which the API reads. */
export function standbyUrl(settings: Settings): string | undefined {
  const url = settings.get('DATABASE_URL_READ');
  if (url !== undefined && !settings.has('DATABASE_URL'))
    settings.refuse('DATABASE_URL_READ', withoutDatabase('DATABASE_URL_READ'));
  return url;
}

/** An address at which a process serves its metrics. Port 0 means any free port. */
export interface MetricsAddress {
  host: string;
  port: number;
}

/** Reads HOST and METRICS_PORT. Without METRICS_PORT, the process does not serve metrics. */
export function metricsAddress(settings: Settings): MetricsAddress | undefined {
  const [host, port] = [settings.get('HOST'), settings.get('METRICS_PORT')];
  return port === undefined ? undefined : { host, port };
}

/**
 * Reads the settings that every long-running process has. Without a URL, the database is the embedded server under
 * `home`. If `tracing` is undefined, no span is recorded.
 *
 * @param use whether a pooler in transaction mode may share the process's sessions
 */
export function processSettings(settings: Settings, use: 'pooled' | 'direct') {
  return {
    databaseUrl: databaseUrl(settings, use),
    home: settings.get('MILEPOST_HOME'),
    logLevel: settings.get('LOG_LEVEL'),
    tracing: tracingSettings(settings),
  };
}

export type ProcessSettings = ReturnType<typeof processSettings>;
