import { useEffect, useState } from 'preact/hooks';
import { ask } from '../shared/ask.ts';
import { type Failure, QuestionFailed } from '../shared/failure.ts';
import type { Question } from '../shared/question.ts';

/**
 * The newest answer to a question, which is asked again whenever `version` changes. Until then the answer before stays, as long
 * as the question is the same.
 */
export function useLatest<Answer>(
  question: Question<Answer>,
  version: unknown,
): { answer: Answer | undefined; failure: Failure | null } {
  const [state, setState] = useState<{ address: string; answer?: Answer; failure: Failure | null } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    ask(question, controller.signal).then(
      (answer) => setState({ address: question.address, answer, failure: null }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        if (!(error instanceof QuestionFailed)) throw error;
        setState({ address: question.address, failure: error.failure });
      },
    );
    return () => controller.abort();
  }, [question.address, version]);
  const current = state?.address === question.address ? state : null;
  return { answer: current?.answer, failure: current?.failure ?? null };
}
