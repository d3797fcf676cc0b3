import { hash, randomBytes } from 'node:crypto';

const PREFIX = 'mp_';
const SECRET_BYTES = 32;

/** A new API key: `mp_` and 256 random bits as base64url, 46 characters in all. */
export function generateApiKey(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

/** Whether a string has the form of an API key. Other strings need no lookup. */
export function isApiKey(text: string): boolean {
  return /^mp_[A-Za-z0-9_-]{43}$/.test(text);
}

/** The stored hash of a key. SHA-256 suffices: nobody can guess 256 random bits, so the hash need not be slow. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
