import type { Client } from './client.ts';

/**
 * Opens a client of the operators' API at `server`. Without a server, it opens a client that uses the database
 * directly.
 *
 * @param lane the lane on which operations run. By default that of the fleet in their input, otherwise the first one
 */
export async function openClient(server: string | undefined, lane?: number): Promise<Client> {
  if (server !== undefined) return (await import('./remote.ts')).openRemote(server, lane);
  return await (await import('./in-process.ts')).openInProcess(lane);
}
