import { causeOf } from '@milepost/service';

function sentenceOf(error: unknown, host: string, port: number, setting: string): string {
  switch (error instanceof Error && 'code' in error && error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use: stop the program that uses it, or set ${setting} to another port.`;
    case 'EACCES':
      return `This user is not allowed to open port ${port} on ${host}: set ${setting} to 1024 or above.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `This machine does not have the address ${host}: set HOST to one that it has, such as 127.0.0.1 or 0.0.0.0.`;
    default:
      return `Cannot listen on ${host}, port ${port} (${setting}): ${causeOf(error)}.`;
  }
}

/**
 * Returns an error whose message explains in one sentence why a port cannot be opened.
 *
 * @param setting the setting that names the port
 */
export function portError(error: unknown, host: string, port: number, setting: string): Error {
  return new Error(sentenceOf(error, host, port, setting), { cause: error });
}
