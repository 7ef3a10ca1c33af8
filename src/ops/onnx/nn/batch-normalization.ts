import { intAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import { type AttributeSpecs, float, int, ints } from '../../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { like, requireDims } from '../../../schema/shapes.js';
import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';

interface Attributes {
  readonly epsilon: number;
  readonly momentum: number;
  readonly spatial?: number;
  readonly training_mode?: number;
  readonly is_test?: number;
}

type Context = Decomposition<Attributes>;

const [X, SCALE, BIAS, MEAN, VARIANCE] = [0, 1, 2, 3, 4];

/** A statistic or weight per channel, in a shape that broadcasts over [N, C, spatial…]. */
function perChannel(c: Context, value: Value, rank: number): Value {
  if (c.attributes.spatial === 0 || rank < 2) return value;
  const shape = [channelsOf(c) as number, ...new Array<number>(rank - 2).fill(1)];
  const target = c.constant({ type: 'int64', dims: [shape.length], data: BigInt64Array.from(shape, BigInt) });
  return c.emit('Reshape', [value, target])[0] as Value;
}

/** x·factor + offset, both computed from constant statistics. */
function folded(c: Context, rank: number): Value[] | undefined {
  const known = [SCALE, BIAS, MEAN, VARIANCE].map((i) => c.contents(i)).filter((x) => x !== undefined);
  if (known.length < 4 || c.attributes.spatial === 0) return undefined;
  const [scale, bias, mean, variance] = known.map(numbersOf) as [ArrayLike<number>, ...ArrayLike<number>[]];
  const factors = Float64Array.from(scale, (s, i) => s / Math.sqrt((variance?.[i] as number) + c.attributes.epsilon));
  const offsets = factors.map((f, i) => (bias?.[i] as number) - (mean?.[i] as number) * f);
  // For ∞ and NaN, folding would change the result.
  if (![...factors, ...offsets].every(Number.isFinite)) return undefined;
  const dims = [scale.length, ...new Array<number>(Math.max(rank - 2, 0)).fill(1)];
  const constant = (values: Float64Array) => c.constant(tensorOf(c.element(X), dims, values));
  const [product] = c.emit('Mul', [c.input(X), constant(factors)]) as [Value];
  return c.emit('Add', [product, constant(offsets)]);
}

/** scale·(x − mean)/√(variance + ε) + bias */
function normalized(c: Context, rank: number, mean: Value, variance: Value): Value {
  const emit = (op: string, ...inputs: Value[]) => c.emit(op, inputs)[0] as Value;
  const channel = (value: Value) => perChannel(c, value, rank);
  const epsilon = c.constant(tensorOf(c.element(VARIANCE), [], [c.attributes.epsilon]));
  const deviation = emit('Sqrt', emit('Add', variance, epsilon));
  const centered = emit('Sub', c.input(X), channel(mean));
  const scaled = emit('Mul', emit('Div', centered, channel(deviation)), channel(c.input(SCALE)));
  return emit('Add', scaled, channel(c.input(BIAS)));
}

/** Normalizes by the statistics of the batch; also returns updated running statistics and those of the batch. */
function trained(c: Context, rank: number): Value[] {
  const emit = (op: string, ...inputs: Value[]) => c.emit(op, inputs)[0] as Value;
  const axes = c.constant({
    type: 'int64',
    dims: [rank - 1],
    data: BigInt64Array.from({ length: rank - 1 }, (_, i) => BigInt(i === 0 ? 0 : i + 1)),
  });
  const meanOf = (x: Value) => c.emit('ReduceMean', [x, axes], { keepdims: { type: 'int', value: 0 } })[0] as Value;
  const mean = meanOf(c.input(X));
  const centered = emit('Sub', c.input(X), perChannel(c, mean, rank));
  const variance = meanOf(emit('Mul', centered, centered));
  const factor = (value: number) => c.constant(tensorOf(c.element(MEAN), [], [value]));
  const { momentum } = c.attributes;
  const moved = (running: Value, current: Value) =>
    emit('Add', emit('Mul', running, factor(momentum)), emit('Mul', current, factor(1 - momentum)));
  const running = [moved(c.input(MEAN), mean), moved(c.input(VARIANCE), variance)];
  return [normalized(c, rank, mean, variance), ...running, mean, variance];
}

/** For mixed types: computes in the widest float type, between casts. */
function throughOneType(c: Context): Value[] | undefined {
  const elements = [X, SCALE, BIAS, MEAN, VARIANCE].map((i) => c.element(i));
  if (elements.every((element) => element === elements[0])) return undefined;
  const wide = elements.includes('float64') ? 'float64' : 'float32';
  const cast = (value: Value, to: ElementType) =>
    c.emit('Cast', [value], { to: intAttribute(ELEMENTS[to].onnx) })[0] as Value;
  const inputs = elements.map((_, i) => cast(c.input(i), wide));
  const outputs = c.emit('BatchNormalization', inputs, c.node.attributes, c.outputCount);
  return outputs.map((value, i) => cast(value, c.element([X, MEAN, VARIANCE][i] as number)));
}

/** Before opset 14, a node is in training mode if more than its first output is used. */
function isTraining(c: Context): boolean {
  const { training_mode, is_test } = c.attributes;
  return Boolean(training_mode ?? (!is_test && [1, 2, 3, 4].some((i) => i < c.outputCount && c.wanted(i))));
}

/** The size of axis 1; a tensor without such an axis has one channel. */
function channelsOf(c: Inference<Attributes>): Size {
  const dims = c.dims(X) ?? [];
  return dims.length < 2 ? 1 : (dims[1] as Size);
}

function decompose(c: Context): Value[] | undefined {
  const rank = c.dims(X)?.length;
  // The number of channels must be known: if it turned out to be 1, scale and bias of more channels would broadcast it.
  if (rank === undefined || typeof channelsOf(c) !== 'number') return undefined;
  const joined = throughOneType(c);
  if (joined) return joined;
  if (isTraining(c)) return trained(c, rank).slice(0, c.outputCount);
  const y = folded(c, rank) ?? [normalized(c, rank, c.input(MEAN), c.input(VARIANCE))];
  return c.outputCount > 1 ? [...y, ...unmoved(c)].slice(0, c.outputCount) : y;
}

/** Statistics of a node that does not train, which some models request: the inputs, unchanged. */
function unmoved(c: Context): Value[] {
  const statistics = [MEAN, VARIANCE].map((i) => c.emit('Identity', [c.input(i)])[0] as Value);
  return [...statistics, ...statistics];
}

const shared = { epsilon: float(1e-5), momentum: float(0.9) };

const version = (since: number, signature: string, own: AttributeSpecs) =>
  defineOp({
    name: 'BatchNormalization',
    since,
    signature,
    types: { T: FLOATS, T1: FLOATS, T2: FLOATS },
    attributes: { ...shared, ...own } as typeof shared,
    infer(c: Inference<Attributes>) {
      if (c.attributes.spatial !== 0 && c.dims(X))
        for (const i of [SCALE, BIAS, MEAN, VARIANCE]) requireDims(c, i, [channelsOf(c)]);
      const statistics = [MEAN, VARIANCE].map((i) => like(c, i, c.dims(i)));
      return [c.type(X), ...statistics, ...statistics];
    },
    decompose,
  });

const OLD = 'X: T, scale: T, B: T, mean: T, var: T -> Y: T, mean?: T, var?: T, saved_mean?: T, saved_var?: T';
const NEW = 'X: T, scale: T1, B: T1, input_mean: T2, input_var: T2 -> Y: T, running_mean?: T2, running_var?: T2';

/** https://onnx.ai/onnx/operators/onnx__BatchNormalization.html */
export const batchNormalization = [
  version(14, NEW, { training_mode: int(0) }),
  version(1, OLD, { spatial: int(1), is_test: int(0), consumed_inputs: ints() }),
];
