import { isIPv6 } from 'node:net';
import type { Settings } from '@milepost/service';

const ADDRESS = /^(?:([a-z_]+):\/\/)?(\[[0-9a-f:.]+\]|[^\s,:/[\]]+):(\d{1,5})$/i;
const MAX_PORT = 65_535;

/** Returns `host:port`, without the protocol; null when the address is invalid. */
function parseBroker(text: string): { broker: string; protocol: string | null } | null {
  const [, protocol = null, host = '', port = ''] = ADDRESS.exec(text) ?? [];
  const isHost = host.startsWith('[') ? isIPv6(host.slice(1, -1)) : host !== '';
  if (!isHost || Number(port) < 1 || Number(port) > MAX_PORT) return null;
  return { broker: `${host}:${port}`, protocol: protocol?.toUpperCase() ?? null };
}

/**
 * Reads the brokers' addresses. Compares a prefix such as `SASL_SSL://` with the other settings and then removes it.
 *
 * @param connection whether the other settings ask for TLS and for a login
 */
export function readBrokers(settings: Settings, connection: { tls: boolean; login: boolean }): string[] {
  const expected = `${connection.login ? 'SASL_' : ''}${connection.tls ? 'SSL' : 'PLAINTEXT'}`;
  const texts = settings.get('KAFKA_BROKERS').split(',');
  return texts.map((text) => {
    const parsed = parseBroker(text.trim());
    if (parsed === null) {
      const example = 'as host:port, separated by commas, with an IPv6 address in brackets ([::1]:9092)';
      settings.refuse('KAFKA_BROKERS', `KAFKA_BROKERS must name the brokers ${example}.`);
      return text;
    }
    if (parsed.protocol !== null && parsed.protocol !== expected) {
      const rule = `but KAFKA_SSL and KAFKA_SASL_* are set for ${expected}://: write host:port alone, or change them.`;
      settings.refuse('KAFKA_BROKERS', `KAFKA_BROKERS has the prefix ${parsed.protocol}://, ${rule}`);
    }
    return parsed.broker;
  });
}
