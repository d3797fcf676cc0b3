/** A column's majority is looked for among so many first steps. */
const SAMPLE_LENGTH = 32;

/** The step that more than half of a column's steps equal (3,000 ms between timestamps); 0 when none is found. */
export function majorityStep(integers: Float64Array, count: number): number {
  const candidate = vote(integers, Math.min(count, SAMPLE_LENGTH + 1));
  const steps = count - 1;
  let others = 0;
  for (let index = 1; index < count; index++) {
    if ((integers[index] ?? 0) - (integers[index - 1] ?? 0) === candidate) continue;
    others++;
    if (others * 2 >= steps) return 0;
  }
  return candidate;
}

/** Majority vote of Boyer and Moore: if any step has a majority among these, it is the returned one. */
function vote(integers: Float64Array, count: number): number {
  let candidate = 0;
  let votes = 0;
  for (let index = 1; index < count; index++) {
    const step = (integers[index] ?? 0) - (integers[index - 1] ?? 0);
    if (votes === 0) candidate = step;
    votes += step === candidate ? 1 : -1;
  }
  return candidate;
}
