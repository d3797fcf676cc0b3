import { isIPv6 } from 'node:net';

/** A host name that represents an IPv6 address, such as `--1.ipv6-literal.net` for `::1`. */
const SUFFIX = '.ipv6-literal.net';

/**
 * Returns the address in a form that the Kafka client can split at its only colon. The client splits only the addresses
 * in the settings, not those that brokers return.
 */
export function encodeBroker(broker: string): string {
  const [, address = '', port = ''] = /^\[(.+)\]:(\d+)$/.exec(broker) ?? [];
  return isIPv6(address) ? `${address.replaceAll(':', '-')}${SUFFIX}:${port}` : broker;
}

/** Returns the IPv6 address that a host name represents, and any other host name unchanged. */
export function decodeHost(host: string): string {
  const address = host.endsWith(SUFFIX) ? host.slice(0, -SUFFIX.length).replaceAll('-', ':') : '';
  return isIPv6(address) ? address : host;
}
