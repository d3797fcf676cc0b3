import { createHmac, hash, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';

const ITERATIONS = 4_096;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

function keysOf(password: string, salt: Buffer, iterations: number): { stored: string; server: string } {
  const salted = pbkdf2Sync(password, salt, iterations, KEY_BYTES, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  return {
    stored: hash('sha256', clientKey, 'base64'),
    server: createHmac('sha256', salted).update('Server Key').digest('base64'),
  };
}

/**
 * Returns a password's SCRAM verifier, which PostgreSQL stores unchanged. A statement with a verifier reveals the
 * password neither to the server's log nor to the administrator who runs it.
 *
 * @param password ASCII only, because other characters would have to be normalized first
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const { stored, server } = keysOf(password, salt, ITERATIONS);
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`;
}

const VERIFIER = /^SCRAM-SHA-256\$(\d+):([^$]+)\$([^:]+):(.+)$/;

/** Whether a verifier belongs to a password. */
export function isVerifierOf(verifier: string, password: string): boolean {
  const [, iterations, salt = '', stored = ''] = VERIFIER.exec(verifier) ?? [];
  if (iterations === undefined) return false;
  const expected = Buffer.from(keysOf(password, Buffer.from(salt, 'base64'), Number(iterations)).stored);
  const found = Buffer.from(stored);
  return expected.length === found.length && timingSafeEqual(expected, found);
}
