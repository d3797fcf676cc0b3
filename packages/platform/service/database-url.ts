import { type Environment, optionalText, refuse, type SettingName } from './settings.ts';

const SHAPE = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?]+)(.*)$/;
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]@#]+)(:\d{1,5})?$/;

/** `allow` and `prefer` fall back to a connection without TLS, so they protect nothing. */
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** The servers that a URL may ask for, by the values of `target_session_attrs`. */
interface Targets {
  accepted: readonly string[];
  /** The needed server, in words. */
  server: string;
  /** The value that asks for it. */
  usual: string;
}

/** Milepost writes, so it needs the primary. */
const PRIMARY: Targets = {
  accepted: ['any', 'read-write', 'primary'],
  server: 'a server that accepts writes',
  usual: 'read-write',
};
const STANDBY: Targets = {
  accepted: ['any', 'standby', 'prefer-standby', 'read-only'],
  server: 'a standby',
  usual: 'standby',
};

/** The fault in a PostgreSQL URL; null when the URL has none. */
function faultOf(name: SettingName, text: string, targets: Targets): string | null {
  const [, start = '', hosts = '', rest = ''] = SHAPE.exec(text) ?? [];
  const isAddress = (host: string) => HOST.test(host) && URL.canParse(`${start}${host}${rest}`);
  if (hosts === '' || !hosts.split(',').every(isAddress)) {
    return `${name} must be an address such as postgres://user:password@host:port/name; commas separate several hosts, and %23 stands for # in a password.`;
  }
  const parameters = new URL(`postgres://host${rest}`).searchParams;
  const mode = parameters.get('sslmode') ?? 'disable';
  if (!TLS_MODES.includes(mode)) {
    return `${name} has sslmode=${mode}, which may connect without TLS: use disable, require, verify-ca or verify-full.`;
  }
  if (mode === 'verify-ca' && !parameters.has('sslrootcert')) {
    return `${name} has sslmode=verify-ca without sslrootcert: add the path of the authority's certificate, or use verify-full.`;
  }
  const target = parameters.get('target_session_attrs') ?? 'any';
  if (targets.accepted.includes(target)) return null;
  return `${name} has target_session_attrs=${target}, and Milepost needs ${targets.server}: use ${targets.usual}.`;
}

/**
 * Reads a PostgreSQL URL. Returns a valid URL with the first host; its parameter `other_hosts` has the others. The
 * error omits a wrong URL, because the URL may contain a password.
 */
function readUrl(environment: Environment, name: SettingName, targets = PRIMARY): string | undefined {
  const text = optionalText(environment, name);
  if (text === undefined) return undefined;
  const fault = faultOf(name, text, targets);
  if (fault !== null) {
    refuse(name, fault);
    return undefined;
  }
  const [, start = '', hosts = '', rest = ''] = SHAPE.exec(text) ?? [];
  const [first, ...others] = hosts.split(',');
  if (others.length === 0) return text;
  const url = new URL(`${start}${first}${rest}`);
  url.searchParams.set('other_hosts', others.join(','));
  return url.href;
}

/**
 * Reads the database's URL. If DATABASE_URL_DIRECT is set, DATABASE_URL names a pooler in transaction mode.
 * Reports wrong URLs with `refuse`.
 *
 * @param use `pooled` for a process whose sessions keep nothing between transactions, `direct` for all others
 */
export function databaseUrl(environment: Environment, use: 'pooled' | 'direct'): string | undefined {
  const url = readUrl(environment, 'DATABASE_URL');
  const direct = readUrl(environment, 'DATABASE_URL_DIRECT');
  if (direct === undefined) return url;
  if (url === undefined) {
    refuse('DATABASE_URL_DIRECT', 'DATABASE_URL_DIRECT is set without DATABASE_URL: set both, or DATABASE_URL alone.');
    return undefined;
  }
  if (use === 'direct') return direct;
  const pooled = new URL(url);
  pooled.searchParams.set('pool_mode', 'transaction');
  return pooled.href;
}

/**
 * Reads the URL of the standbys from which the API reads. Each connection on the returned URL is to a standby. Reports
 * a wrong URL with `refuse`.
 */
export function standbyUrl(environment: Environment): string | undefined {
  const read = readUrl(environment, 'DATABASE_URL_READ', STANDBY);
  if (read === undefined) return undefined;
  if (optionalText(environment, 'DATABASE_URL') === undefined) {
    refuse('DATABASE_URL_READ', 'DATABASE_URL_READ is set without DATABASE_URL: set both, or DATABASE_URL alone.');
  }
  const url = new URL(read);
  url.searchParams.set('target_session_attrs', 'standby');
  return url.href;
}
