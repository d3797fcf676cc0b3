import { bodyAudit } from '../log/body-audit.ts';

/** Each trip's trail against the log's bytes. */
export const trailPathsAudit = bodyAudit('trail_paths', 'trail_path');
