import type { Operation } from './operation.ts';
import { ROOMS } from './rooms.ts';

const rooms = await Promise.all(Object.values(ROOMS).map(async ({ load }) => (await load()).operations));

/** All that operators can do, in the order of the reference. */
export const OPERATIONS: readonly Operation[] = rooms.flat();
