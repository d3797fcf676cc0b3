import type { Client } from './client.ts';

/** Opens a client: of the server at `server` if one is named, else of the database that the settings name. */
export async function openClient(server: string | undefined): Promise<Client> {
  if (server !== undefined) return (await import('./remote.ts')).openRemote(server);
  return await (await import('./in-process.ts')).openInProcess();
}
