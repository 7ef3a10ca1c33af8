import { intAttribute, intsAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { tensorType } from '../../graph/types.js';
import { type Decomposition, defineOp, type Evaluation } from '../../schema/definition.js';
import { dimsOfRank } from '../../schema/shapes.js';
import { tensorOf } from '../../tensor/numbers.js';
import { integers } from '../../tensor/tensor-value.js';
import { arithmeticOn, emitOne, listOf } from '../emit.js';

/**
 * Added to the score of a hidden key. It is finite so that a query without visible keys weighs all keys before it equally, as in
 * onnxruntime.
 */
const HIDDEN = -3.4028234663852886e38;

const range = (length: number) => Array.from({ length }, (_, i) => i);

type Layout = readonly (readonly number[])[];

/** Visible block columns of each block row, from compressed sparse rows. Each row of both tensors is one layout. */
function layoutsOf(c: Evaluation<unknown>): Layout[] {
  const [rows, columns] = [c.tensor(0), c.tensor(1)];
  const [[count, bounds], width] = [rows.dims as [number, number], columns.dims[1] as number];
  const [starts, places] = [integers(rows), integers(columns)];
  const blocks = bounds - 1;
  const seen = (layout: number, row: number) => {
    const [from, to] = [0, 1].map((i) => starts[layout * bounds + row + i] as number) as [number, number];
    if (from < 0 || from > to || to > width)
      c.fail(
        'INVALID_VALUE',
        `block_row_indices must increase from 0 to at most ${width}, not go from ${from} to ${to}`,
      );
    const found = places.slice(layout * width + from, layout * width + to);
    const wrong = found.find((column) => column < 0 || column >= blocks);
    if (wrong !== undefined)
      c.fail('INVALID_VALUE', `block_col_indices must be from 0 to ${blocks - 1} where they are used, not ${wrong}`);
    return found;
  };
  return range(count).map((layout) => range(blocks).map((row) => seen(layout, row)));
}

/** onnxruntime counts blocks: a row with as many blocks as lie up to the diagonal sees all of them. */
function hiddenBlocks(layout: Layout): number[] {
  const blocks = layout.length;
  const isDense = layout.flat().length >= (blocks * (blocks + 1)) / 2;
  return layout.flatMap((seen, row) => {
    const isWhole = isDense || seen.length === row + 1;
    return range(blocks).map((column) => (isWhole || column > row || seen.includes(column) ? 0 : HIDDEN));
  });
}

/** Mask to add to scores, per layout, block of queries and block of keys. */
export const blockScores = defineOp({
  domain: 'sardonyx',
  name: 'BlockScores',
  signature: 'rows: int32, columns: int32 -> scores: float32',
  infer(c) {
    const [layouts, bounds] = dimsOfRank(c, 0, 2) ?? [];
    if (layouts === undefined) return [tensorType('float32', undefined)];
    const blocks = typeof bounds === 'number' ? bounds - 1 : c.unknown();
    return [tensorType('float32', [layouts, blocks, blocks])];
  },
  evaluate(c) {
    const scores = layoutsOf(c).flatMap(hiddenBlocks);
    return [tensorOf('float32', c.result(0).dims, scores)];
  },
});

export interface Spread {
  /** [layouts, blocks, blocks] */
  readonly scores: Value;
  readonly layouts: number;
  readonly blocks: number;
  readonly blockSize: number;
  readonly heads: number;
  readonly keys: number;
}

/**
 * Expands block scores to a mask [batch, heads, queries, keys]. `places` is the position of each query, int32 [batch, queries]. Heads use
 * the layouts in turn.
 */
export function blockMask(c: Decomposition<unknown>, places: Value, spread: Spread): Value {
  const { scores, layouts, blocks, blockSize, heads, keys } = spread;
  const along = (axis: number) => ({ axis: intAttribute(axis) });
  const rows = emitOne(c, 'Gather', [scores, arithmeticOn(c, 'int32')('Div', places, blockSize)], along(1));
  const ofBatches = emitOne(c, 'Transpose', [rows], { perm: intsAttribute([1, 0, 2, 3]) });
  // Keys after the last block are after every query.
  const columns = range(keys).map((key) => Math.min(Math.floor(key / blockSize), blocks - 1));
  const ofKeys = emitOne(c, 'Gather', [ofBatches, listOf(c, columns)], along(3));
  if (layouts === 1 || layouts === heads) return ofKeys;
  const turns = range(heads).map((head) => head % layouts);
  return emitOne(c, 'Gather', [ofKeys, listOf(c, turns)], along(1));
}
