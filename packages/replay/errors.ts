/** A request that makes no sense as things stand. The message says why and what would. */
export class ReplayRefusedError extends Error {
  override name = 'ReplayRefusedError';
}

/** There is no replay with this id. */
export class ReplayNotFoundError extends Error {
  override name = 'ReplayNotFoundError';

  constructor(id: number) {
    super(`There is no replay ${id}: \`milepost replay list\` shows them.`);
  }
}

/** Another worker has claimed the replay, or the operator has sent it elsewhere: whatever was under way is void. */
export class ReplayTakenError extends Error {
  override name = 'ReplayTakenError';

  constructor(id: number) {
    super(`Replay ${id} was taken over or sent elsewhere.`);
  }
}
