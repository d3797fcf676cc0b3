import type { Parse } from './setting-kinds.ts';

const SHAPE = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?]+)(.*)$/;
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]@#]+)(:\d{1,5})?$/;

/**
 * `allow` and `prefer` are missing here, because they fall back to a connection without TLS and therefore provide no
 * protection.
 */
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/**
 * A PostgreSQL URL. The value is a valid URL with the first host, and its parameter `other_hosts` contains the other
 * hosts. The message omits an invalid URL, which may contain a password.
 *
 * @param targets the accepted values of `target_session_attrs`
 * @param server the needed server, in words
 * @param usual the value that asks for this server
 * @param isFixed whether every connection asks for this server
 */
function postgresUrl(targets: readonly string[], server: string, usual: string, isFixed = false): Parse<string> {
  return (text, wrong) => {
    const [, start = '', hosts = '', rest = ''] = SHAPE.exec(text) ?? [];
    const [first, ...others] = hosts.split(',');
    const isAddress = (host = '') => HOST.test(host) && URL.canParse(`${start}${host}${rest}`);
    if (![first, ...others].every(isAddress)) {
      const example = 'an address such as postgres://user:password@host:port/name';
      return wrong(`must be ${example}; commas separate several hosts, and %23 stands for # in a password`);
    }
    const url = new URL(`${start}${first}${rest}`);
    const mode = url.searchParams.get('sslmode') ?? 'disable';
    if (!TLS_MODES.includes(mode)) {
      return wrong(
        `has sslmode=${mode}, which may connect without TLS: use disable, require, verify-ca or verify-full`,
      );
    }
    if (mode === 'verify-ca' && !url.searchParams.has('sslrootcert')) {
      const remedy = "add the path of the authority's certificate, or use verify-full";
      return wrong(`has sslmode=verify-ca without sslrootcert: ${remedy}`);
    }
    const target = url.searchParams.get('target_session_attrs') ?? 'any';
    if (!targets.includes(target))
      return wrong(`has target_session_attrs=${target}, but Milepost needs ${server}: use ${usual}`);
    if (others.length === 0 && !isFixed) return text;
    if (others.length > 0) url.searchParams.set('other_hosts', others.join(','));
    if (isFixed) url.searchParams.set('target_session_attrs', usual);
    return url.href;
  };
}

/** The URL of a primary, which Milepost needs because it writes. */
export const primary = postgresUrl(['any', 'read-write', 'primary'], 'a server that accepts writes', 'read-write');

/** The URL for the standbys. */
export const standby = postgresUrl(['any', 'standby', 'prefer-standby', 'read-only'], 'a standby', 'standby', true);
