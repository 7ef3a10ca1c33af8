import { intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { differ } from '../../graph/guards.js';
import { formatSize, multiply } from '../../graph/sizes.js';
import { float, int } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { dimsOfRank, requireDims, sameAsInput } from '../../schema/shapes.js';
import { emitOne, reshapeTo } from '../emit.js';
import { placesAlong } from '../emit-shapes.js';

interface RotaryAttributes {
  readonly interleaved: number;
  readonly num_heads: number;
  readonly rotary_embedding_dim: number;
}

const [INPUT, POSITIONS, COS, SIN] = [0, 1, 2, 3];

/** The number of heads of an input of rank 3; undefined if a size is unknown. */
function headsOf(c: Inference<RotaryAttributes>): number | undefined {
  const { num_heads, rotary_embedding_dim } = c.attributes;
  if (rotary_embedding_dim > 0 && num_heads <= 0)
    return c.fail('INVALID_ATTRIBUTE', 'rotary_embedding_dim needs num_heads');
  const [width, half] = [c.dims(INPUT)?.[2], c.dims(COS)?.[1]];
  if (typeof width !== 'number' || typeof half !== 'number') return undefined;
  return rotary_embedding_dim > 0 ? num_heads : width / (2 * half);
}

function check(c: Inference<RotaryAttributes>): void {
  const dims = c.dims(INPUT);
  const rank = dims?.length;
  if (rank !== undefined && rank !== 3 && rank !== 4)
    c.fail(
      'INVALID_SHAPE',
      `input must be [batch, length, heads · size] or [batch, heads, length, size], not [${dims}]`,
    );
  const half = c.attributes.rotary_embedding_dim > 0 ? c.attributes.rotary_embedding_dim / 2 : undefined;
  const [rows, columns] = dimsOfRank(c, COS, 2) ?? [];
  requireDims(c, COS, [rows, half ?? columns]);
  requireDims(c, SIN, [rows, half ?? columns]);
  const positions = c.dims(POSITIONS);
  const isOne =
    positions === undefined || positions.length === 0 || (positions.length === 1 && !differ(positions[0], 1));
  if (!isOne && dims) requireDims(c, POSITIONS, [dims[0], dims.at(-2)]);
}

/** Position of each row: given individually, or counted from the first. */
function positionsOf(c: Decomposition<RotaryAttributes>, rank: number): Value {
  if (c.dims(POSITIONS)?.length === 2) return c.input(POSITIONS);
  const places = placesAlong(c, c.input(INPUT), rank === 4 ? 2 : 1);
  return emitOne(c, 'Add', [reshapeTo(c, c.input(POSITIONS), [1, 1]), places]);
}

function decompose(c: Decomposition<RotaryAttributes>): Value[] | undefined {
  const rank = c.dims(INPUT)?.length;
  const heads = rank === 3 ? headsOf(c) : 0;
  if (!rank || heads === undefined || !c.dims(POSITIONS)) return undefined;
  if (heads % 1 !== 0)
    c.fail(
      'INVALID_SHAPE',
      `${formatSize(c.dims(INPUT)?.[2])} columns cannot be split into heads of ${formatSize(multiply(c.dims(COS)?.[1] ?? 0, 2))}`,
    );
  const attributes = {
    interleaved: intAttribute(c.attributes.interleaved),
    num_heads: intAttribute(heads),
    rotary_embedding_dim: intAttribute(c.attributes.rotary_embedding_dim),
  };
  return c.emit('RotaryEmbedding', [c.input(INPUT), c.input(COS), c.input(SIN), positionsOf(c, rank)], attributes);
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.RotaryEmbedding: `scale` is unused. */
export const rotaryEmbedding = defineOp({
  domain: 'com.microsoft',
  name: 'RotaryEmbedding',
  signature: 'input: T, position_ids: int64, cos_cache: T, sin_cache: T -> output: T',
  types: { T: ['float32', 'float16', 'bfloat16'] },
  attributes: {
    interleaved: int(0),
    is_packed_batching: int(0),
    num_heads: int(0),
    rotary_embedding_dim: int(0),
    scale: float(1),
  },
  infer(c) {
    check(c);
    return sameAsInput(c);
  },
  decompose,
});
