import type { TracingSettings } from '@milepost/tracing/settings';
import { databaseUrl } from './database-url.ts';
import { LOG_LEVELS, type LogLevel } from './log.ts';
import { address, type Environment, integer, oneOf, optionalText, refuse } from './settings.ts';
import { tracingSettings } from './tracing-settings.ts';

/** The settings that every long-running process reads. */
export interface ProcessSettings {
  /** If undefined, the embedded server under `home`. */
  databaseUrl: string | undefined;
  /** The folder with all data of an embedded Milepost. */
  home: string;
  logLevel: LogLevel;
  /** If undefined, no span is recorded. */
  tracing: TracingSettings | undefined;
}

/** Returns whether a server logs its requests. Throws SettingError. */
export function logsRequests(environment: Environment): boolean {
  return oneOf(environment, 'REQUEST_LOG', ['on', 'off'], 'on') === 'on';
}

/**
 * Reads the URL at which clients reach a server behind a proxy, without a slash at the end. Empty when the setting is
 * missing: clients then use the same paths as the server. Throws SettingError.
 */
export function publicUrl(environment: Environment, name: 'PUBLIC_URL' | 'OPS_PUBLIC_URL'): string {
  const url = address(environment, name, ['http', 'https']);
  if (url === undefined) return '';
  const { search, hash, username, password } = new URL(url);
  if (search + hash + username + password !== '')
    refuse(name, `${name} must be a URL without a query, fragment or password, such as https://example.org/milepost.`);
  return url.replace(/\/+$/, '');
}

/** An address at which a process serves its metrics. Port 0 means any free port. */
export interface MetricsAddress {
  host: string;
  port: number;
}

/** Reads HOST and METRICS_PORT. Without METRICS_PORT, the process serves no metrics. Throws SettingError. */
export function metricsAddress(environment: Environment): MetricsAddress | undefined {
  const host = optionalText(environment, 'HOST') ?? '127.0.0.1';
  if (optionalText(environment, 'METRICS_PORT') === undefined) return undefined;
  return { host, port: integer(environment, 'METRICS_PORT', { default: 0, minimum: 0, maximum: 65_535 }) };
}

/**
 * Reads DATABASE_URL, DATABASE_URL_DIRECT, MILEPOST_HOME, LOG_LEVEL and the settings of tracing. Throws SettingError.
 *
 * @param use whether the sessions of the process may be shared by a pooler in transaction mode
 */
export function processSettings(environment: Environment, use: 'pooled' | 'direct'): ProcessSettings {
  return {
    databaseUrl: databaseUrl(environment, use),
    home: optionalText(environment, 'MILEPOST_HOME') ?? '.milepost',
    logLevel: oneOf(environment, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    tracing: tracingSettings(environment),
  };
}
