import { DEAD_LETTER_REASONS } from '@milepost/domain/records';

/** Every reason code that a dead letter may have. */
export const REASON_CODES: readonly string[] = Object.keys(DEAD_LETTER_REASONS);
