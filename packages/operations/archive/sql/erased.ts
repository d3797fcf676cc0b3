/**
 * SQL that is true where the record of a stored event is no longer in the log, so that an archive leaves it out and a
 * gap at its position is no fault. Of an erasure itself it is true too: no record says that one happened.
 */
export const IS_ERASED = '(erased IS NOT NULL)';
