export { createKey } from './create.ts';
export { listKeys } from './list.ts';
export { revokeKey } from './revoke.ts';
