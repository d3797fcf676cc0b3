import { join } from 'node:path';

/** The folder of all bundles. Git ignores it. */
export const DIST = join(import.meta.dirname, 'dist');

/** The names of the bundles, which are also the names of their source folders and of their folders in `DIST`. */
export const MODES = ['explore', 'operate'] as const;

/** The output of `npm run build`: `index.html`, and `assets`, where file names change with the content. */
export const EXPLORE_FOLDER = join(DIST, MODES[0]);
export const OPERATE_FOLDER = join(DIST, MODES[1]);
