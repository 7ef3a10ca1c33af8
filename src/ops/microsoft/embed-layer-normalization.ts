import { floatAttribute, intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { tensorType } from '../../graph/types.js';
import { float, int } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { dimsOfRank, requireDims } from '../../schema/shapes.js';
import type { ElementType } from '../../tensor/element-types.js';
import { tensorOf } from '../../tensor/numbers.js';
import { castTo, emitOne, listOf } from '../emit.js';
import { placesAlong } from '../emit-shapes.js';
import { throughFloat32 } from '../through-float32.js';

interface EmbedAttributes {
  readonly epsilon: number;
}

type Context = Decomposition<EmbedAttributes>;

const [IDS, SEGMENTS, WORD, POSITION, SEGMENT, GAMMA, BETA, MASK] = [0, 1, 2, 3, 4, 5, 6, 7];
const [MASK_INDEX, SUM] = [1, 2];

function inferAs(c: Inference<EmbedAttributes>, element: ElementType) {
  const dims = dimsOfRank(c, IDS, 2);
  const width = dimsOfRank(c, WORD, 2)?.[1];
  for (const i of [POSITION, SEGMENT]) if (c.given(i)) requireDims(c, i, [c.dims(i)?.[0], width]);
  for (const i of [GAMMA, BETA]) requireDims(c, i, [width]);
  for (const i of [SEGMENTS, MASK]) if (dims) requireDims(c, i, dims);
  const y = tensorType(element, dims && [...dims, width ?? c.unknown()]);
  return [y, tensorType('int32', dims && [dims[0] ?? c.unknown()]), y];
}

/** The number of ones in each row of the mask; 0 without a mask. */
function maskIndex(c: Context): Value {
  const source = c.given(MASK)
    ? c.input(MASK)
    : emitOne(c, 'Mul', [c.input(IDS), c.constant(tensorOf('int32', [], [0]))]);
  const isOne = emitOne(c, 'Equal', [source, c.constant(tensorOf('int32', [], [1]))]);
  return emitOne(c, 'ReduceSum', [castTo(c, isOne, 'int32'), listOf(c, [1])], { keepdims: intAttribute(0) });
}

/** Sums rows of the tables and normalizes them. `read` returns a table in float32, or its rows at `at`. */
function embedded(c: Context, positions: number, read: (table: number, at?: Value) => Value): Value[] {
  const at = c.given(positions) ? c.input(positions) : placesAlong(c, c.input(IDS), 1);
  const words = emitOne(c, 'Add', [read(WORD, c.input(IDS)), read(POSITION, at)]);
  const isSegmented = c.given(SEGMENT) && c.given(SEGMENTS);
  const sum = isSegmented ? emitOne(c, 'Add', [words, read(SEGMENT, c.input(SEGMENTS))]) : words;
  const epsilon = { epsilon: floatAttribute(c.attributes.epsilon) };
  const y = emitOne(c, 'sardonyx:LayerNormalization', [sum, read(GAMMA), read(BETA)], epsilon);
  return [y, c.wanted(MASK_INDEX) ? maskIndex(c) : sum, sum].slice(0, Math.max(1, c.outputCount));
}

const gathered = (c: Context, table: Value, at?: Value) => (at ? emitOne(c, 'Gather', [table, at]) : table);

const TABLES = 'word_embedding: T, position_embedding: T, segment_embedding?: T, gamma: T, beta: T';

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.EmbedLayerNormalization */
export const embedLayerNormalization = defineOp({
  domain: 'com.microsoft',
  name: 'EmbedLayerNormalization',
  signature: `input_ids: int32, segment_ids?: int32, ${TABLES}, mask?: int32, position_ids?: int32 -> output: T, mask_index?: int32, embedding_sum?: T`,
  types: { T: ['float32', 'float16'] },
  attributes: { epsilon: float(1e-12), mask_index_type: int(0) },
  infer: (c) => inferAs(c, c.element(WORD)),
  decompose: (c) =>
    throughFloat32(c, [c.element(WORD), 'int32', c.element(WORD)]) ??
    embedded(c, 8, (table, at) => gathered(c, c.input(table), at)),
});

/** Inputs with the scale and the zero point of each table. */
const SCALES: Readonly<Record<number, readonly [scale: number, zero: number]>> = {
  [WORD]: [8, 13],
  [POSITION]: [9, 14],
  [SEGMENT]: [10, 15],
  [GAMMA]: [11, 16],
  [BETA]: [12, 17],
};

/** Gathers rows before dequantizing, so that unused rows are not dequantized. */
function dequantized(c: Context, table: number, at?: Value): Value {
  const [scale, zero] = SCALES[table] as readonly [number, number];
  return emitOne(c, 'DequantizeLinear', [gathered(c, c.input(table), at), c.input(scale), c.input(zero)]);
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QEmbedLayerNormalization */
export const qEmbedLayerNormalization = defineOp({
  domain: 'com.microsoft',
  name: 'QEmbedLayerNormalization',
  signature:
    `input_ids: int32, segment_ids?: int32, ${TABLES}, mask?: int32, word_scale: float32, position_scale: float32, ` +
    'segment_scale?: float32, gamma_scale: float32, beta_scale: float32, word_zero_point: T, position_zero_point: T, ' +
    'segment_zero_point?: T, gamma_zero_point: T, beta_zero_point: T -> output: float32, mask_index?: int32',
  types: { T: ['int8', 'uint8'] },
  attributes: { epsilon: float(1e-12) },
  infer: (c) => inferAs(c, 'float32').slice(0, SUM),
  decompose: (c) => embedded(c, Number.POSITIVE_INFINITY, (table, at) => dequantized(c, table, at)),
});
