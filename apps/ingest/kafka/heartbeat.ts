/** Well within the session timeout; the client itself sends no more than its heartbeat interval asks for. */
const HEARTBEAT_MILLISECONDS = 1_000;

/**
 * Keeps the membership in the group alive while `work` takes its time (a slow or absent database). When the group has
 * moved on meanwhile, the error that says so is thrown after the work has ended: what it stored was either still ours or
 * was refused by the fence.
 */
export async function withHeartbeats<Result>(
  heartbeat: () => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  let failure: unknown;
  const timer = setInterval(() => {
    heartbeat().catch((error: unknown) => {
      failure ??= error;
    });
  }, HEARTBEAT_MILLISECONDS);
  try {
    const result = await work();
    if (failure !== undefined) throw failure;
    return result;
  } finally {
    clearInterval(timer);
  }
}
