import { join } from 'node:path';

const DIST = join(import.meta.dirname, 'dist');

/** The folders that `npm run build` fills: `index.html`, and `assets` whose names change with their content. */
export const EXPLORE_FOLDER = join(DIST, 'explore');
export const OPERATE_FOLDER = join(DIST, 'operate');
