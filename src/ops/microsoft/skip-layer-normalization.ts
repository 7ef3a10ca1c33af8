import { floatAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { float } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { like, requireDims, requireSpreading } from '../../schema/shapes.js';
import { emitOne, listOf } from '../emit.js';
import { throughFloat32 } from '../through-float32.js';

interface SkipAttributes {
  readonly epsilon: number;
}

const [INPUT, SKIP, GAMMA] = [0, 1, 2];
const [MEAN, INVERSE_DEVIATION] = [1, 2];

/** Differences between the operators: the normalization, and the inputs after gamma. */
interface Kind {
  readonly name: string;
  readonly inputs: string;
  readonly normalization: string;
  readonly beta?: number;
  readonly bias: number;
  /** Number of outputs of the normalization: 3 if it has a mean. */
  readonly outputs: 2 | 3;
}

function checkShapes(c: Inference<SkipAttributes>, { beta, bias }: Kind): readonly Size[] | undefined {
  const dims = c.dims(INPUT);
  if (dims && dims.length !== 2 && dims.length !== 3)
    c.fail('INVALID_SHAPE', `input 0 must be [batch, length, size] or [tokens, size], not [${dims}]`);
  requireSpreading(c, SKIP, dims);
  const row = dims && [dims.at(-1)];
  for (const i of [GAMMA, beta, bias]) if (i !== undefined && row) requireDims(c, i, row);
  return dims;
}

/** The sum to normalize: input + skip + bias. */
function sumOf(c: Decomposition<SkipAttributes>, bias: number): Value {
  const sum = emitOne(c, 'Add', [c.input(INPUT), c.input(SKIP)]);
  return c.given(bias) ? emitOne(c, 'Add', [sum, c.input(bias)]) : sum;
}

/** Mean and inverse deviation. An output that is not wanted may have any value. */
function statisticsOf(c: Decomposition<SkipAttributes>, sum: Value, found: readonly Value[]): Value[] {
  const [mean, inverse = sum] = found.length === 2 ? found : [undefined, found[0]];
  const meanOf = () => emitOne(c, 'ReduceMean', [sum, listOf(c, [-1])]);
  return [c.wanted(MEAN) ? (mean ?? meanOf()) : sum, inverse];
}

function decompose(c: Decomposition<SkipAttributes>, { normalization, beta, bias, outputs }: Kind): Value[] {
  const element = c.element(INPUT);
  const halves = throughFloat32(c, [element, 'float32', 'float32', element]);
  if (halves) return halves;
  const sum = sumOf(c, bias);
  const offset = beta !== undefined && c.given(beta) ? [c.input(beta)] : [];
  const isSaved = c.wanted(MEAN) || c.wanted(INVERSE_DEVIATION);
  const epsilon = { epsilon: floatAttribute(c.attributes.epsilon) };
  const [y, ...statistics] = c.emit(normalization, [sum, c.input(GAMMA), ...offset], epsilon, isSaved ? outputs : 1);
  return [y as Value, ...statisticsOf(c, sum, statistics), sum];
}

const define = (kind: Kind) =>
  defineOp({
    domain: 'com.microsoft',
    name: kind.name,
    signature: `input: T, skip: T, gamma: T, ${kind.inputs} -> output: T, mean?: U, inv_std_var?: U, input_skip_bias_sum?: T`,
    types: { T: ['float32', 'float16', 'bfloat16'], U: ['float32'] },
    attributes: { epsilon: float(1e-12) },
    infer(c) {
      const dims = checkShapes(c, kind);
      const statistics = tensorType('float32', dims && [...dims.slice(0, -1), 1]);
      return [like(c, INPUT, dims), statistics, statistics, like(c, INPUT, dims)];
    },
    decompose: (c) => decompose(c, kind),
  });

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.SkipLayerNormalization */
export const skipLayerNormalization = define({
  name: 'SkipLayerNormalization',
  inputs: 'beta?: T, bias?: T',
  normalization: 'sardonyx:LayerNormalization',
  beta: 3,
  bias: 4,
  outputs: 3,
});

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.SkipSimplifiedLayerNormalization */
export const skipSimplifiedLayerNormalization = define({
  name: 'SkipSimplifiedLayerNormalization',
  inputs: 'bias?: T',
  normalization: 'sardonyx:RMSNormalization',
  bias: 3,
  outputs: 2,
});
