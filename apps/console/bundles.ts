import { join } from 'node:path';

/** The folder of all bundles. Git ignores it. */
export const DIST = join(import.meta.dirname, 'dist');

/**
 * The names of the bundles. Each name is also that of the folder with the sources, and that of the folder in `DIST`.
 */
export const MODES = ['explore', 'operate'] as const;

/** The output of `npm run build`: `index.html`, and `assets` whose names change with their content. */
export const EXPLORE_FOLDER = join(DIST, MODES[0]);
export const OPERATE_FOLDER = join(DIST, MODES[1]);
