import { hash, randomBytes } from 'node:crypto';

const PREFIX = 'mp_';
const SECRET_BYTES = 32;

/** A new API key: `mp_` and 256 random bits as base64url, 46 characters in all. */
export function generateApiKey(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

/** Whether a text can be an API key at all. What cannot needs no look-up. */
export function isApiKey(text: string): boolean {
  return /^mp_[A-Za-z0-9_-]{43}$/.test(text);
}

/** What is stored of a key. A plain SHA-256 suffices: 256 random bits cannot be guessed, so there is nothing to slow down. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
