import type { Client } from './client.ts';

/**
 * Opens a client of the operators' API at `server` or, without a server, one that uses the database directly.
 *
 * @param lane the lane in which operations run; by default the lane of the fleet in their input, or the first lane if
 *   the input does not contain a fleet
 */
export async function openClient(server: string | undefined, lane?: number): Promise<Client> {
  if (server !== undefined) return (await import('./remote.ts')).openRemote(server, lane);
  return await (await import('./in-process.ts')).openInProcess(lane);
}
