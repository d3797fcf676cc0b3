import { hash, randomBytes } from 'node:crypto';

const PREFIX = 'mp_';
const SECRET_BYTES = 32;

/** Returns a new API key of 46 characters, which is `mp_` followed by 256 random bits in base64url. */
export function generateApiKey(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

/** Whether a string looks like an API key. Other strings need not be looked up. */
export function isApiKey(text: string): boolean {
  return /^mp_[A-Za-z0-9_-]{43}$/.test(text);
}

/** Returns a key's stored hash. A fast hash such as SHA-256 is enough, because nobody can guess 256 random bits. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
