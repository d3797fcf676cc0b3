import { isIPv6 } from 'node:net';
import type { Settings } from '@milepost/service';

/** Kafka's security protocols, by the prefix that a listener's address may have. */
const PROTOCOLS = {
  PLAINTEXT: { tls: false, login: false },
  SSL: { tls: true, login: false },
  SASL_PLAINTEXT: { tls: false, login: true },
  SASL_SSL: { tls: true, login: true },
} as const;

const ADDRESS = /^(?:([a-z_]+):\/\/)?(\[[0-9a-f:.]+\]|[^\s,:/[\]]+):(\d{1,5})$/i;
const MAX_PORT = 65_535;

/** Returns `host:port`, without the protocol; null when the address is wrong. */
function parseBroker(text: string): { broker: string; protocol: string | null } | null {
  const [, protocol = null, host = '', port = ''] = ADDRESS.exec(text) ?? [];
  const isHost = host.startsWith('[') ? isIPv6(host.slice(1, -1)) : host !== '';
  if (!isHost || Number(port) < 1 || Number(port) > MAX_PORT) return null;
  return { broker: `${host}:${port}`, protocol: protocol?.toUpperCase() ?? null };
}

/** Returns why the protocol of an address contradicts the other settings; null when it does not. */
function contradiction(protocol: string, connection: { tls: boolean; login: boolean }): string | null {
  const found = Object.entries(PROTOCOLS).find(([name]) => name === protocol);
  if (found === undefined) {
    return `KAFKA_BROKERS has the prefix ${protocol}://, which is not a Kafka protocol: write host:port alone.`;
  }
  const [name, { tls, login }] = found;
  if (tls !== connection.tls) {
    return `KAFKA_BROKERS has the prefix ${name}://, which needs KAFKA_SSL=${tls}.`;
  }
  if (login !== connection.login) {
    const remedy = login ? 'set KAFKA_SASL_MECHANISM and its login' : 'remove the settings KAFKA_SASL_*';
    return `KAFKA_BROKERS has the prefix ${name}://, which is a listener ${login ? 'with' : 'without'} a login: ${remedy}.`;
  }
  return null;
}

/**
 * Reads the brokers' addresses. Compares a prefix such as `SASL_SSL://` with the other settings, and then removes it.
 *
 * @param connection whether the other settings ask for TLS and for a login
 */
export function readBrokers(settings: Settings, connection: { tls: boolean; login: boolean }): string[] {
  const texts = settings.get('KAFKA_BROKERS').split(',');
  return texts.map((text) => {
    const parsed = parseBroker(text.trim());
    if (parsed === null) {
      const example = 'as host:port, separated by commas, with an IPv6 address in brackets ([::1]:9092)';
      settings.refuse('KAFKA_BROKERS', `KAFKA_BROKERS must name the brokers ${example}.`);
      return text;
    }
    const wrong = parsed.protocol === null ? null : contradiction(parsed.protocol, connection);
    if (wrong !== null) settings.refuse('KAFKA_BROKERS', wrong);
    return parsed.broker;
  });
}
