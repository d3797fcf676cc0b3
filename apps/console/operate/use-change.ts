import { useState } from 'preact/hooks';
import { type Failure, readFailure } from '../shared/failure.ts';
import type { Reply } from '../shared/question.ts';
import { signOut } from '../shared/session.ts';

const UNREACHABLE: Failure = {
  kind: 'broken',
  detail: 'The server did not answer, so nobody knows whether it was done. Look at the view before you try again.',
  faults: [],
  request_id: null,
};

/** A change that the visitor asks for: sent once, and never again by itself. */
interface Change {
  isUnderWay: boolean;
  failure: Failure | null;
  /** Sends it; `onDone` gets the answer, undefined where there is none to tell. */
  send: <Answer>(request: () => Promise<Reply<Answer>>, onDone: (answer: Answer | undefined) => void) => Promise<void>;
  forgetFailure: () => void;
}

export function useChange(): Change {
  const [isUnderWay, setUnderWay] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  return {
    isUnderWay,
    failure,
    forgetFailure: () => setFailure(null),
    async send(request, onDone) {
      setUnderWay(true);
      setFailure(null);
      const reply = await request().catch((error: unknown) => {
        // What fetch throws when nobody answers.
        if (error instanceof TypeError) return null;
        throw error;
      });
      setUnderWay(false);
      if (reply === null) setFailure(UNREACHABLE);
      else if (reply.response.ok) onDone(reply.data);
      else {
        const refused = readFailure(reply.response.status, reply.error);
        if (refused.kind === 'refused') signOut(refused.detail);
        setFailure(refused);
      }
    },
  };
}
