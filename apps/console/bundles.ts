import { join } from 'node:path';

/** The folder of all bundles. Git ignores it. */
export const DIST = join(import.meta.dirname, 'dist');

/** The bundles: each has its sources in a folder of this name, and its pages in one in `DIST`. */
export const MODES = ['explore', 'operate'] as const;

/** The folders that `npm run build` fills: `index.html`, and `assets` whose names change with their content. */
export const EXPLORE_FOLDER = join(DIST, MODES[0]);
export const OPERATE_FOLDER = join(DIST, MODES[1]);
