import { claimFile } from '@milepost/event-log/sources';
import { PROJECTIONS } from '@milepost/projections';
import { expect } from 'vitest';
import { advance } from '../../packages/core/projections/engine/advance.ts';
import type { Model } from './model/index.ts';
import { append, incoming, type Pipeline } from './pipeline.ts';
import { type DrawnSequence, textsOf } from './random-records.ts';

/** Returns the values of `sizes` in turn, over and over. */
function inTurn(sizes: readonly number[]): () => number {
  let next = 0;
  return () => sizes[next++ % sizes.length] ?? 1;
}

/**
 * Stores a sequence in batches from two sources, and advances the projections after each batch. If a model is given, it
 * processes the same records. `name` becomes part of the sources' and fleets' names.
 */
export async function play(pipeline: Pipeline, sequence: DrawnSequence, name: string, model?: Model): Promise<void> {
  const texts = textsOf(sequence.deliveries, name);
  const appendSize = inTurn(sequence.appendSizes);
  const advanceSize = inTurn(sequence.advanceSizes);
  const claims = [await claimFile(pipeline.ingest, name), await claimFile(pipeline.ingest, name)];
  for (let start = 0, turn = 0; start < texts.length; turn += 1) {
    const batch = texts.slice(start, start + appendSize());
    start += batch.length;
    const claim = claims[turn % 2];
    if (!claim) throw new Error('A claim is missing.');
    const nextOffset = claim.nextOffset + batch.length;
    const records = batch.map(({ text }, index) => incoming(claim.nextOffset + index, text));
    claims[turn % 2] = (await append(pipeline.ingest, claim, records, nextOffset)).claim;
    for (const { text, broken } of batch) model?.deliver(broken ? null : text);
    await advance(pipeline.projector, PROJECTIONS, advanceSize());
  }
  for (;;) {
    const { after, through } = await advance(pipeline.projector, PROJECTIONS, advanceSize());
    if (after === through) break;
  }
  if (!model) return;
  const { rows } = await pipeline.owner.query(
    `SELECT sum(records_read) AS read, sum(records_stored) AS stored, sum(records_duplicate) AS duplicates,
       sum(records_dead_letter) AS dead_letters FROM log_source WHERE topic = $1`,
    [`file:${name}`],
  );
  expect(rows).toEqual([model.counts]);
}
