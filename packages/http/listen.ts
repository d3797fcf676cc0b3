import type { FastifyInstance } from 'fastify';

/**
 * Why a port could not be opened, in one clear sentence; null for reasons that nobody has met yet.
 *
 * @param setting the setting that names the port
 */
export function refusal(code: unknown, host: string, port: number, setting: string): string | null {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken: stop the program that uses it, or set ${setting} to another one.`;
    case 'EACCES':
      return `This user may not open port ${port} on ${host}: set ${setting} to 1024 or above.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is no address of this machine: set HOST to one, such as 127.0.0.1 or 0.0.0.0.`;
    default:
      return null;
  }
}

/** More than that, and the system makes them try again after a second. Many come at once when a load balancer turns to us. */
export const WAITING_CONNECTIONS = 4_096;

/** Opens the port and returns the address, such as `http://127.0.0.1:3000`. Throws one clear sentence when it cannot. */
export async function listen(app: FastifyInstance, host: string, port: number, setting: string): Promise<string> {
  try {
    return await app.listen({ host, port, backlog: WAITING_CONNECTIONS });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const message = refusal(code, host, port, setting);
    throw message === null ? error : new Error(message, { cause: error });
  }
}
