import type { StoredEventDraft } from './prepare.ts';

/** A revision that is already in the log. */
export interface KnownRevision {
  subject: string;
  revision: number;
  contentHash: string;
  position: number;
  effective: boolean;
}

/** The decision about one storable record. `position` is its place in the log. */
export type Decision =
  | { outcome: 'stored'; position: number; effective: boolean; supersedes: number | null }
  | { outcome: 'duplicate'; position: number }
  | { outcome: 'conflict'; position: number };

interface Chain {
  /** A subject usually has at most two or three revisions. */
  revisions: KnownRevision[];
  /**
   * The effective revision that has not been superseded. This is always the highest effective revision, because a lower
   * revision never becomes effective after a higher one.
   */
  current: KnownRevision | null;
}

function chainsOf(known: readonly KnownRevision[]): Map<string, Chain> {
  const chains = new Map<string, Chain>();
  for (const revision of known) addRevision(chains, revision);
  return chains;
}

function addRevision(chains: Map<string, Chain>, revision: KnownRevision): void {
  let chain = chains.get(revision.subject);
  if (chain === undefined) {
    chain = { revisions: [], current: null };
    chains.set(revision.subject, chain);
  }
  chain.revisions.push(revision);
  if (revision.effective && revision.revision > (chain.current?.revision ?? 0)) chain.current = revision;
}

/**
 * Decides for each draft, in order, whether it is stored and which revision it supersedes (docs/adr/0002). A revision
 * that is already in the log is a duplicate if its content is the same, and a conflict otherwise. A new revision below
 * the highest one is stored, but is not effective. Any other revision supersedes the highest.
 *
 * @param known every stored revision of every subject among `drafts`, read under the lock on the head
 * @param headPosition the last position in the log
 */
export function decide(
  drafts: readonly StoredEventDraft[],
  known: readonly KnownRevision[],
  headPosition: number,
): Decision[] {
  const chains = chainsOf(known);
  let position = headPosition;
  return drafts.map((draft): Decision => {
    const chain = chains.get(draft.subject);
    const same = chain?.revisions.find(({ revision }) => revision === draft.record.revision);
    if (same) {
      const outcome = same.contentHash === draft.contentHash ? 'duplicate' : 'conflict';
      return { outcome, position: same.position };
    }
    const current = chain?.current ?? null;
    const effective = current === null || draft.record.revision > current.revision;
    position += 1;
    addRevision(chains, {
      subject: draft.subject,
      revision: draft.record.revision,
      contentHash: draft.contentHash,
      position,
      effective,
    });
    return { outcome: 'stored', position, effective, supersedes: effective ? (current?.position ?? null) : null };
  });
}
