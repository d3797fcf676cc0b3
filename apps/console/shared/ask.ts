import { QuestionFailed, readFailure } from './failure.ts';
import type { Question } from './question.ts';
import { signOut } from './session.ts';
import { replaceWaiting, restBefore, type Waiting } from './waiting.ts';

function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

const PASSING: Readonly<Record<number, Waiting['reason']>> = {
  429: 'rate_limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** The answer, or why there is none for now. */
async function attempt<Answer>(question: Question<Answer>, signal: AbortSignal) {
  const reply = await question.ask(signal).catch((error: unknown) => {
    signal.throwIfAborted();
    // What fetch throws when nobody answers. Anything else is a fault of ours.
    if (error instanceof TypeError) return null;
    throw error;
  });
  if (reply === null) return { passing: 'unreachable' as const, retryAfter: null };
  const { data, error, response } = reply;
  if (data !== undefined) return { answer: data };
  const passing = PASSING[response.status];
  if (passing !== undefined) return { passing, retryAfter: response.headers.get('retry-after') };
  const failure = readFailure(response.status, error);
  if (failure.kind === 'refused') signOut(failure.detail);
  throw new QuestionFailed(failure);
}

/**
 * Asks until there is an answer: again after what passes, such as a limit of requests or a restart of the service.
 *
 * @throws QuestionFailed for what does not pass; the reason of `signal` when it aborts
 */
export async function ask<Answer>(question: Question<Answer>, signal: AbortSignal): Promise<Answer> {
  let current: Waiting | null = null;
  try {
    for (let attempts = 0; ; attempts += 1) {
      const outcome = await attempt(question, signal);
      if ('answer' in outcome) return outcome.answer;
      const milliseconds = restBefore(attempts, outcome.retryAfter);
      const next = { reason: outcome.passing, until: Date.now() + milliseconds };
      replaceWaiting(current, next);
      current = next;
      await rest(milliseconds, signal);
    }
  } finally {
    // Also when the view is left: nobody waits for its answers any more.
    replaceWaiting(current, null);
  }
}
