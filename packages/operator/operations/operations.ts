import { GROUPS } from './groups.ts';
import type { Operation } from './language/operation.ts';

const groups = await Promise.all(Object.values(GROUPS).map(async ({ load }) => (await load()).operations));

/** All operations except `openRecord`, whose response is a stream, in the order of the reference. */
export const OPERATIONS: readonly Operation[] = groups.flat();
