import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listenLocally } from './listen.ts';

export interface TcpProxy {
  port: number;
  /** The connections that have not been closed by their clients. */
  clients: ReadonlySet<Socket>;
  /** Cuts every connection and refuses new connections, as a stopped server does. */
  cut: () => Promise<void>;
  /** Accepts connections again on the same port. */
  restore: () => Promise<void>;
  /** Stops forwarding bytes on open and new connections, like a server that hangs. */
  freeze: () => void;
  /** Forwards nothing on open connections, like a firewall that has forgotten them. New connections still work. */
  forget: () => void;
  /** Resumes forwarding, beginning with the bytes that have arrived in the meantime. */
  thaw: () => void;
}

/** Starts a proxy in front of a server that a test cannot stop because other tests use it. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let frozen = false;
  const server = createServer((client) => {
    clients.add(client);
    for (const event of ['end', 'close']) client.on(event, () => clients.delete(client));
    const upstream = connect(target);
    for (const [socket, peer] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        peer.destroy();
      });
      socket.pipe(peer);
      if (frozen) socket.pause();
    }
  });
  const port = await listenLocally(server);
  return {
    port,
    clients,
    cut: async () => {
      if (!server.listening) return;
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
    restore: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    freeze: () => {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    forget: () => {
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
  };
}

/** Starts a proxy in front of the server in a URL. The proxy's `url` is the same URL with the proxy's address. */
export async function startProxyTo(serverUrl: string): Promise<TcpProxy & { url: string }> {
  const url = new URL(serverUrl);
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.host = `127.0.0.1:${proxy.port}`;
  return { ...proxy, url: url.href };
}
