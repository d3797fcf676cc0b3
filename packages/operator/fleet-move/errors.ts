/** The fleet stays in its lane. The message is a sentence with the reason and the remedy. */
export class MoveRefusedError extends Error {
  override name = 'MoveRefusedError';
}
