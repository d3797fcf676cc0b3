import { auditMetrics } from './audits.ts';
import { deadLetterMetrics } from './dead-letters.ts';
import { generationMetrics } from './generations.ts';
import type { MetricGroup } from './group.ts';
import { logMetrics } from './log.ts';
import { projectionMetrics } from './projections.ts';
import { sourceMetrics } from './sources.ts';

/** All that is read from the database in a scrape's one snapshot, in this order. */
export const GROUPS: readonly MetricGroup[] = [
  logMetrics,
  projectionMetrics,
  generationMetrics,
  deadLetterMetrics,
  sourceMetrics,
  auditMetrics,
];
