import { startPostgresProxy } from './postgres-proxy.ts';

/**
 * Starts a PostgreSQL proxy that drops every other connection from a client, starting with the first. `lost` returns
 * each dropped connection's application name. Connections belong to the same client if their start-up messages, which
 * contain the application, role and database, are identical.
 */
export async function startLosingPostgres(url: string) {
  const seen = new Map<string, number>();
  const lost: string[] = [];
  const proxy = await startPostgresProxy(url, (client, openUpstream) => {
    client.once('data', (startUp) => {
      const message = startUp.toString('latin1');
      const ordinal = (seen.get(message) ?? 0) + 1;
      seen.set(message, ordinal);
      if (ordinal % 2 === 1) {
        lost.push(/application_name\0([^\0]*)/.exec(message)?.[1] ?? '');
        client.destroy();
        return;
      }
      const upstream = openUpstream();
      upstream.write(startUp);
      client.pipe(upstream).pipe(client);
    });
  });
  return { ...proxy, lost: () => lost };
}
