import { connect as connectPlain, isIP, isIPv6, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

const KEEP_ALIVE_MILLISECONDS = 60_000;
/** Within this time, the client learns from the other brokers that a broker has been lost. */
const REFUSAL_MILLISECONDS = 5_000;

/** A host name that represents an IPv6 address, such as `--1.ipv6-literal.net` for `::1`. */
const SUFFIX = '.ipv6-literal.net';

/**
 * Returns the address in a form that the Kafka client can split at its only colon. The client splits only the addresses
 * in the settings, not those returned by brokers.
 */
export function encodeBroker(broker: string): string {
  const [, address = '', port = ''] = /^\[(.+)\]:(\d+)$/.exec(broker) ?? [];
  return isIPv6(address) ? `${address.replaceAll(':', '-')}${SUFFIX}:${port}` : broker;
}

/** Returns the IPv6 address that a host name represents, and any other host name unchanged. */
function decodeHost(host: string): string {
  const address = host.endsWith(SUFFIX) ? host.slice(0, -SUFFIX.length).replaceAll('-', ':') : '';
  return isIPv6(address) ? address : host;
}

/** The first two bytes of a TLS alert. */
const TLS_ALERT = Buffer.from([0x15, 0x03]);

/** Closes an unencrypted connection to a TLS port. The client would mistake the alert for a response's length. */
function refuseTls(socket: Socket, bytes: Buffer): void {
  if (bytes.subarray(0, TLS_ALERT.length).equals(TLS_ALERT)) {
    socket.destroy(new Error('this port expects TLS, so set KAFKA_SSL=true'));
  }
}

/** Opens a client's sockets and closes those to a broker that hangs. */
export class BrokerSockets {
  /** The open sockets, and the broker of each. */
  readonly #sockets = new Map<Socket, string>();
  readonly #refusedUntil = new Map<string, number>();

  /** Opens a connection as the client itself would, but also supports host names that represent an IPv6 address. */
  readonly open: ISocketFactory = ({ host: name, port, ssl, onConnect }) => {
    const broker = `${name}:${port}`;
    if (performance.now() < (this.#refusedUntil.get(broker) ?? 0)) {
      return new Socket().destroy(new Error('the broker did not respond to a request in time'));
    }
    const host = decodeHost(name);
    // The server name in a handshake must not be an address (RFC 6066, section 3).
    const servername = isIP(host) ? {} : { servername: host };
    const address = { host, port };
    const socket = ssl
      ? connectTls({ ...address, ...servername, ...ssl }, onConnect)
      : connectPlain(address, onConnect);
    if (!ssl) socket.once('data', (bytes: Buffer) => refuseTls(socket, bytes));
    this.#sockets.set(socket, broker);
    socket.once('close', () => this.#sockets.delete(socket));
    return socket.setKeepAlive(true, KEEP_ALIVE_MILLISECONDS);
  };

  /**
   * Ends the connections to a broker as if the broker had closed them, so that all pending requests fail immediately.
   * New connections are refused for 5 s, because a suspended process would accept them and never respond.
   *
   * @param broker the host and port as the client writes them
   */
  end(broker: string): void {
    this.#refusedUntil.set(broker, performance.now() + REFUSAL_MILLISECONDS);
    for (const [socket, name] of this.#sockets) if (name === broker) socket.push(null);
  }
}
