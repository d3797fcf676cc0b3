import { join } from 'node:path';

/** The folder of all bundles. Git ignores it. */
export const DIST = join(import.meta.dirname, 'dist');

/** The names of the bundles. The folder of a bundle's sources and the bundle's folder in `DIST` have the same name. */
export const MODES = ['explore', 'operate'] as const;

/** The output of `npm run build`: `index.html`, and `assets` whose names change with their content. */
export const EXPLORE_FOLDER = join(DIST, MODES[0]);
export const OPERATE_FOLDER = join(DIST, MODES[1]);
