const SHOWN_IDS = 20;

/** What came of retried dead letters, for the audit trail: `12 stored, 3 refused`. */
export function retriedInWords(results: readonly { outcome: string }[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of results) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  if (counts.size === 0) return 'none tried';
  return [...counts].map(([outcome, count]) => `${count} ${outcome.replace('_', ' ')}`).join(', ');
}

/** Which dead letters were discarded, for the audit trail: `3 discarded: 4, 5, 9`. Names the first 20. */
export function discardedInWords(ids: readonly number[]): string {
  const shown = ids.slice(0, SHOWN_IDS).join(', ');
  const more = ids.length > SHOWN_IDS ? ', ...' : '';
  return `${ids.length} discarded${shown && `: ${shown}${more}`}`;
}
