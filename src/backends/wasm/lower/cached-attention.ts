import type { Fields, KernelParams } from '../../../../bindings/parameters.js';
import type { Place } from '../../../../bindings/place.js';
import { AttentionTile } from '../../../../build/kernels.js';
import { CachedAttentionPart, CachedAttentionTile, CacheStorage } from '../../../../build/quantized-kernels.js';
import { isAtMost, isSame } from '../../../graph/guards.js';
import { add, ceilDivide, floorDivide, multiply, product } from '../../../graph/sizes.js';
import { LENGTHS } from '../../../primitives/attention-geometry.js';
import { cachedAttention, type OpenCachedAttention, SINKS } from '../../../primitives/cached-attention.js';
import { narrowRows } from '../../../primitives/narrow-rows.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { type Lowering, lowers } from '../lowering.js';
import { strides } from './attention.js';

const STORAGES: Partial<Record<ElementType, CacheStorage>> = {
  float32: CacheStorage.Float32,
  float16: CacheStorage.Float16,
  int8: CacheStorage.Int8,
};

/** From this many queries on, `attention`, which blocks queries, is faster; always if no heads share keys. */
const BLOCK_FROM = 12;

function takesBlocks(c: Lowering, { queryLength, heads, kvHeads, window }: OpenCachedAttention): boolean {
  if (c.element(1) !== 'float32' || window || c.given(SINKS)) return false;
  return isSame(heads, kvHeads) || isAtMost(BLOCK_FROM, queryLength);
}

function lowerAttention(c: Lowering, parameters: OpenCachedAttention): 'host' | undefined {
  const storage = STORAGES[c.element(1)];
  if (c.element(0) !== 'float32' || storage === undefined) return 'host';
  const { batch, heads, queryLength } = parameters;
  const { window, ...geometry } = parameters;
  const params = {
    q: c.input(0),
    k: c.input(1),
    v: c.input(2),
    y: c.output(0),
    mask: c.given(3) ? c.input(3) : 0,
    keyLengths: c.given(LENGTHS) ? c.input(LENGTHS) : 0,
    ...geometry,
    ...strides(c, 1, geometry),
    ...strides(c, 2, geometry),
  };
  const writes = [c.output(0)];
  if (takesBlocks(c, parameters)) {
    const tiles = product([batch, heads, ceilDivide(queryLength, AttentionTile.QueryRows)]);
    c.launch('attention', params, tiles, { writes });
    return undefined;
  }
  const sinks = c.given(SINKS) ? c.input(SINKS) : 0;
  launchByKeyHeads(c, { ...params, storage, window, sinks });
  return undefined;
}

type ByKeyHeads = Omit<Fields<KernelParams['cachedAttention']>, 'parts' | 'splits'> & { readonly y: Place };

/** If one tile has all members of a key head, its keys are split, so that more threads have work. */
function launchByKeyHeads(c: Lowering, params: ByKeyHeads): void {
  const { batch, heads, kvHeads, queryLength, keyLength, valueSize } = params;
  const members = multiply(floorDivide(heads, kvHeads), queryLength);
  const blocks = ceilDivide(members, CachedAttentionTile.Members);
  const keyHeads = multiply(batch, kvHeads);
  if (!isSame(blocks, 1) || isAtMost(keyLength, CachedAttentionTile.Keys)) {
    c.launch('cachedAttention', { ...params, parts: 0, splits: 1 }, multiply(keyHeads, blocks), { writes: [params.y] });
    return;
  }
  const splits = ceilDivide(keyLength, CachedAttentionTile.Keys);
  const partBytes = add(CachedAttentionPart.Values, multiply(valueSize, 4));
  const parts = c.temporary(product([keyHeads, splits, members, partBytes]));
  c.launch('cachedAttention', { ...params, parts, splits }, multiply(keyHeads, splits), { writes: [parts] });
  c.launch('joinParts', { ...params, parts, splits }, keyHeads, { writes: [params.y] });
}

/** Values quantized per tile: a few microseconds of work. */
const TILE_VALUES = 4096;

function lowerRows(c: Lowering, size: number): 'host' | undefined {
  if (c.element(0) !== 'float32' || size % 4 !== 0) return 'host';
  const rows = floorDivide(product(c.shape(0)), size);
  const tileRows = Math.max(1, Math.floor(TILE_VALUES / size));
  const params = { x: c.input(0), y: c.output(0), rows, size, tileRows };
  c.launch('narrowRows', params, ceilDivide(rows, tileRows), { writes: [c.output(0)] });
  return undefined;
}

export const cachedAttentions = {
  ...lowers(cachedAttention, lowerAttention),
  ...lowers(narrowRows, lowerRows),
};
