import { type Content, contentOf } from './content.ts';

/**
 * The outcome of one record. `late` means that the record is stored without effect, because a higher revision has
 * already been stored.
 */
export type Fate = 'effective' | 'late' | 'duplicate' | 'conflict' | 'broken';

interface Subject {
  /** The content of each stored revision, as text. */
  revisions: Map<number, string>;
  /** The highest revision. */
  current: Content;
}

function subjectOf(content: Content): string {
  return content.kind === 'driver.profile'
    ? JSON.stringify(['driver', content.fleet_id, content.driver_id])
    : JSON.stringify(['trip', content.fleet_id, content.source_trip_id]);
}

/** Keeps the revisions of every trip and every driver profile, and knows which revision is current. */
export class Revisions {
  readonly #subjects = new Map<string, Subject>();

  /** Processes the next record in the order of delivery. `null` stands for a record that the test knows is broken. */
  deliver(text: string | null): { fate: Fate; content: Content | null } {
    if (text === null) return { fate: 'broken', content: null };
    const content = contentOf(text);
    const subject = this.#subjects.get(subjectOf(content));
    if (!subject) {
      const revisions = new Map([[content.revision, JSON.stringify(content)]]);
      this.#subjects.set(subjectOf(content), { revisions, current: content });
      return { fate: 'effective', content };
    }
    const same = subject.revisions.get(content.revision);
    if (same !== undefined) return { fate: same === JSON.stringify(content) ? 'duplicate' : 'conflict', content };
    subject.revisions.set(content.revision, JSON.stringify(content));
    if (content.revision < subject.current.revision) return { fate: 'late', content };
    subject.current = content;
    return { fate: 'effective', content };
  }

  /** Removes a driver's current trips and profile. */
  erase(fleetId: string, driverId: string): void {
    for (const [name, subject] of this.#subjects) {
      const { current } = subject;
      if (current.kind === 'trip.deleted' || current.fleet_id !== fleetId || current.driver_id !== driverId) continue;
      if (current.kind === 'driver.profile') this.#subjects.delete(name);
      else {
        const { fleet_id, source_trip_id, revision } = current;
        subject.current = { kind: 'trip.deleted', fleet_id, source_trip_id, revision };
      }
    }
  }

  /** The current content of every trip and profile. */
  current(): Content[] {
    return [...this.#subjects.values()].map((subject) => subject.current);
  }
}
