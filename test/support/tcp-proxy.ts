import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listenLocally } from './listen.ts';

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

/** Starts a proxy in front of a server that a test cannot stop because other tests use it. */
export async function startTcpProxy(target: { host: string; port: number }) {
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
  const cut = async () => {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  return {
    port,
    /** The connections that have not been closed by their clients. */
    clients,
    /** Cuts every connection and refuses new connections, as a stopped server does. */
    cut,
    close: cut,
    /** Accepts connections again on the same port. */
    restore: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    /** Stops forwarding bytes on open and new connections, like a server that hangs. */
    freeze: () => {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    /** Resumes forwarding, beginning with the bytes that have arrived in the meantime. */
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
