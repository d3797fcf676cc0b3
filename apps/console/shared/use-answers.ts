import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ask } from './ask.ts';
import { type Failure, QuestionFailed } from './failure.ts';
import type { Question } from './question.ts';

export interface Answers<Answer> {
  /** By the order of the questions; undefined until it comes. */
  answers: readonly (Answer | undefined)[];
  /** The first question that failed for good. */
  failure: Failure | null;
  isComplete: boolean;
}

/** Fewer than browsers send to one server at once, so that the views stay quick beside a long list of questions. */
const AT_ONCE = 4;

/**
 * Asks all questions, some at a time, and no more when the view is left. When the list changes, what was answered is kept, and
 * only new addresses are asked.
 */
export function useAnswers<Answer>(questions: readonly Question<Answer>[]): Answers<Answer> {
  const addresses = questions.map(({ address }) => address).join('\n');
  const known = useRef(new Map<string, Answer>());
  const [state, setState] = useState<{ addresses: string; failure: Failure | null; answered: number } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const wanted = questions.filter(({ address }) => !known.current.has(address));
    let answered = questions.length - wanted.length;
    const work = async () => {
      for (let one = wanted.shift(); one !== undefined; one = wanted.shift()) {
        known.current.set(one.address, await ask(one, controller.signal));
        answered += 1;
        setState({ addresses, failure: null, answered });
      }
    };
    setState({ addresses, failure: null, answered });
    Promise.all(Array.from({ length: AT_ONCE }, work)).catch((error: unknown) => {
      if (controller.signal.aborted) return;
      controller.abort();
      if (!(error instanceof QuestionFailed)) throw error;
      setState({ addresses, failure: error.failure, answered });
    });
    return () => controller.abort();
  }, [addresses]);
  // The same list until another answer comes, so that what is made of it can be kept.
  const answers = useMemo(() => questions.map(({ address }) => known.current.get(address)), [addresses, state]);
  // Until the effect has run, the state is that of the questions before.
  const failure = state?.addresses === addresses ? state.failure : null;
  return { answers, failure, isComplete: !answers.includes(undefined) };
}

/** Asks one question. */
export function useAnswer<Answer>(question: Question<Answer>): { answer: Answer | undefined; failure: Failure | null } {
  const { answers, failure } = useAnswers([question]);
  return { answer: answers[0], failure };
}
