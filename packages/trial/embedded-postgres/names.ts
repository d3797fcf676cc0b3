export const SUPERUSER = 'milepost';
export const DATABASE = 'milepost';
export const HOST = '127.0.0.1';

export function serverUrl(password: string, port: number): string {
  return `postgresql://${SUPERUSER}:${password}@${HOST}:${port}/${DATABASE}`;
}
