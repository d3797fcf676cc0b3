/** The database roles, each with only the grants that one process needs. The eraser erases drivers. */
export const ROLES = {
  api: 'milepost_api',
  ingest: 'milepost_ingest',
  projector: 'milepost_projector',
  operator: 'milepost_operator',
  eraser: 'milepost_eraser',
} as const;

export type Role = (typeof ROLES)[keyof typeof ROLES];
