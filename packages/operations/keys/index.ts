export { isValidApiKey } from './api-key.ts';
export { createApiKey, createKey } from './create.ts';
export { listKeys } from './list.ts';
export { revokeKey } from './revoke.ts';
