import { PARTS_OF_TRIPS } from '@milepost/projections/read-tables';
import { ALL, type ReplayRefusal } from '@milepost/replay';
import type { Mention } from '../refusal.ts';

/** What is wrong with a name that stands for no projection. */
export function unknownProjection({ name, known }: Extract<ReplayRefusal, { code: 'unknown_projection' }>): string {
  const remark = PARTS_OF_TRIPS.includes(name) ? `; trips now includes ${name}` : '';
  return `There is no projection ${name}: it must be one of ${known.join(', ')}, several of them separated by commas, or ${ALL}${remark}.`;
}

/** Why a request for a replay was refused, and what would be right, in one sentence or two. */
export function refusalSentence(refusal: ReplayRefusal, mention: Mention): string {
  switch (refusal.code) {
    case 'unknown_projection':
      return unknownProjection(refusal);
    case 'no_read_table':
      return `Projection ${refusal.projection} has no read table yet: the database must be migrated to this release first.`;
    case 'in_the_way': {
      const { id, projection, phase, wanted } = refusal;
      const state = phase === 'waiting' ? 'waits for your word: promote it' : 'is at work: wait for its end';
      const end =
        wanted === 'build'
          ? `cancel it with ${mention.operation('replay.cancel', { id })}`
          : 'cancel or drop it before rolling back';
      return `Replay ${id} of ${projection} ${state}, or ${end}.`;
    }
    case 'ended':
      return `Replay ${refusal.id} is ${refusal.phase.replaceAll('_', ' ')}: there is nothing to ${refusal.action}.`;
    case 'waits_for_promotion':
      return `Replay ${refusal.id} waits for a promotion: there is nothing to pause.`;
    case 'under_way':
      return `Replay ${refusal.id} is under way: cancel it with ${mention.operation('replay.cancel', { id: refusal.id })}.`;
    case 'cancelled':
      return `Replay ${refusal.id} was cancelled, and what it had built is gone already.`;
    case 'unexplained_differences': {
      const { id, differences } = refusal;
      const promote = mention.operation('replay.promote', { id, accept_differences: true });
      return `Not promoted: ${differences} rows differ from the live read tables, and no changed version explains it. ${mention.operation('replay.show', { id })} names them; ${promote} promotes all the same.`;
    }
    case 'no_earlier_generation':
      return `There is nothing to roll ${refusal.projection} back to: no earlier generation of it was promoted over and kept.`;
    case 'earlier_version':
      return `Generation ${refusal.generation} of ${refusal.projection} belongs to version ${refusal.version}, and this release has version ${refusal.releaseVersion}, whose fold cannot bring it up to date: roll back with the release that made it.`;
    case 'promoted_apart': {
      const list = refusal.promotions.map(({ id, projections }) => `${projections.join(', ')} by replay ${id}`);
      return `What is live was promoted at different times (${list.join('; ')}), so there is no one state to go back to: roll back by name those that one promotion made live.`;
    }
  }
}
