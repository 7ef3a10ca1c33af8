import { account } from '../account.js';
import { differ } from '../graph/guards.js';
import { formatSize, formatSizes, multiply, type Size } from '../graph/sizes.js';
import { tensorType } from '../graph/types.js';
import { float, floats, int, oneOf, strings } from '../schema/attributes.js';
import { by, defineOp, type Evaluation, type Inference, type Primitive } from '../schema/definition.js';
import { requireDims } from '../schema/shapes.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import type { HostValue } from '../tensor/tensor-value.js';
import { FORMULAS } from './formulas.js';
import { activate } from './recur-on-host.js';
import { activationsOf, type GateActivation } from './recurrent-activations.js';
import { CELLS, type Cell } from './recurrent-cells.js';
import { REVERSED } from './recurrent-shapes.js';

type Numbers = ArrayLike<number>;

/** Sizes and functions of an LSTM. */
export interface QuantizedRecurrentParameters {
  readonly directions: number;
  readonly steps: number;
  readonly batch: number;
  readonly hidden: number;
  readonly activations: readonly (readonly GateActivation[])[];
  /** Bit d: direction d runs in reverse. */
  readonly reversed: number;
  readonly clip: number;
  readonly inputForget: boolean;
}

const Input = { gates: 0, R: 1, scale: 2, zero: 3, lengths: 4, initialH: 5, initialC: 6, peepholes: 7 } as const;

const GATES = 4;

/** Weights of one direction minus their zero points, and the scale of each column. */
interface Weights {
  readonly integers: Int16Array;
  readonly scales: Float32Array;
}

function weightsOf(c: Evaluation<unknown>, { directions, hidden }: QuantizedRecurrentParameters, d: number): Weights {
  const [r, scale, zero] = [Input.R, Input.scale, Input.zero].map((i) => numbersOf(c.tensor(i))) as [
    Numbers,
    Numbers,
    Numbers,
  ];
  const columns = GATES * hidden;
  const at = (list: Numbers, column: number) => list[list.length === directions ? d : d * columns + column] as number;
  return {
    integers: Int16Array.from(
      { length: hidden * columns },
      (_, i) => (r[d * hidden * columns + i] as number) - at(zero, i % columns),
    ),
    scales: Float32Array.from({ length: columns }, (_, column) => at(scale, column)),
  };
}

const round = (x: number) => FORMULAS.Round(x, 0, 0, 0, 0);

/** Quantizes all of `h` to 8-bit integers as DynamicQuantizeLinear does, minus the zero point. */
function quantize(h: Float32Array): { readonly integers: Int16Array; readonly scale: number } {
  let [least, largest] = [0, 0];
  for (const x of h) {
    if (x < least) least = x;
    if (x > largest) largest = x;
  }
  const scale = largest === least ? 1 : Math.fround(Math.fround(largest - least) / 255);
  const zero = round(Math.min(Math.max(Math.fround(-least / scale), 0), 255));
  const integers = Int16Array.from(h, (x) => Math.min(Math.max(round(Math.fround(x / scale)) + zero, 0), 255) - zero);
  return { integers, scale };
}

/** h·R for every sequence: sums of integers, scaled once. */
function products(h: Float32Array, batch: number, { integers, scales }: Weights): Float32Array {
  const columns = scales.length;
  const hidden = h.length / batch;
  const quantized = quantize(h);
  const steps = scales.map((scale) => quantized.scale * scale);
  const result = new Float32Array(batch * columns);
  const sums = new Int32Array(columns);
  for (let n = 0; n < batch; n++) {
    account()?.spend(hidden * columns);
    sums.fill(0);
    for (let k = 0; k < hidden; k++) {
      const factor = quantized.integers[n * hidden + k] as number;
      const row = k * columns;
      for (let j = 0; j < columns; j++)
        sums[j] = ((sums[j] as number) + Math.imul(factor, integers[row + j] as number)) | 0;
    }
    for (let j = 0; j < columns; j++) result[n * columns + j] = (sums[j] as number) * (steps[j] as number);
  }
  return result;
}

/** Inputs and outputs of one direction. */
interface Direction extends QuantizedRecurrentParameters {
  readonly d: number;
  readonly gates: Numbers;
  readonly weights: Weights;
  readonly cell: Cell;
  readonly lengths: Numbers | undefined;
  /** The states [batch, hidden]: initial ones at first, the last ones at the end. */
  readonly h: Float32Array;
  readonly c: readonly Float64Array[];
  readonly y: Float32Array;
}

/** Step `s` of sequence `n`; its products with R start at n · 4 · hidden of `recurrent`. */
function step(o: Direction, s: number, n: number, length: number, recurrent: Float32Array): Float64Array {
  const { d, hidden, batch, steps } = o;
  const t = (o.reversed >> d) & 1 ? length - 1 - s : s;
  const columns = GATES * hidden;
  const at = ((d * steps + t) * batch + n) * columns;
  const own = o.activations[d] as readonly GateActivation[];
  const next = o.cell(
    {
      hidden,
      direction: d,
      h: o.h.subarray(n * hidden, (n + 1) * hidden),
      input: (gate, unit) => o.gates[at + gate * hidden + unit] as number,
      recurrent: (gate, unit) => recurrent[n * columns + gate * hidden + unit] as number,
      bias: () => 0,
      activate: (i, x, clipped = true) =>
        activate(own[i] as GateActivation, clipped ? Math.min(Math.max(x, -o.clip), o.clip) : x),
    },
    o.c[n] as Float64Array,
  );
  o.y.set(next, ((t * o.directions + d) * batch + n) * hidden);
  return next;
}

/**
 * Runs all steps of a direction, and returns the last h of each sequence. A sequence that has ended still affects the quantization range of
 * h for one more step.
 */
function runDirection(o: Direction): Float32Array {
  const { steps, batch, hidden, h } = o;
  const lengthOf = (n: number) => o.lengths?.[n] ?? steps;
  const last = h.slice();
  for (let s = 0; s < steps; s++) {
    const recurrent = products(h, batch, o.weights);
    for (let n = 0; n < batch; n++) {
      if (s >= lengthOf(n)) {
        h.fill(0, n * hidden, (n + 1) * hidden);
        continue;
      }
      const next = step(o, s, n, lengthOf(n), recurrent);
      h.set(next, n * hidden);
      last.set(next, n * hidden);
    }
  }
  return last;
}

/** The operands that all directions share. */
interface Operands {
  readonly gates: Numbers;
  readonly lengths: Numbers | undefined;
  readonly h0: Numbers | undefined;
  readonly c0: Numbers | undefined;
  readonly cell: Cell;
}

function operandsOf(c: Evaluation<unknown>, p: QuantizedRecurrentParameters): Operands {
  const read = (i: number) => (c.given(i) ? numbersOf(c.tensor(i)) : undefined);
  const lengths = read(Input.lengths);
  for (const length of Array.from(lengths ?? []))
    if (length < 0 || length > p.steps)
      c.fail('INVALID_VALUE', `sequence length ${length} is not one of 0 to ${p.steps}`);
  const own = { ...p, cell: 'LSTM', gates: GATES, input: 0, batchFirst: false, linearBeforeReset: false } as const;
  return {
    gates: numbersOf(c.tensor(Input.gates)),
    lengths,
    h0: read(Input.initialH),
    c0: read(Input.initialC),
    cell: CELLS.LSTM(own, read(Input.peepholes)),
  };
}

function runAll(c: Evaluation<unknown>, p: QuantizedRecurrentParameters): HostValue[] {
  const { directions, steps, batch, hidden } = p;
  const { h0, c0, ...operands } = operandsOf(c, p);
  const state = [directions, batch, hidden];
  const y = new Float32Array(steps * directions * batch * hidden);
  const lastH = new Float32Array(directions * batch * hidden);
  const lastC = new Float32Array(lastH.length);
  for (let d = 0; d < directions; d++) {
    const rowOf = (n: number) => (d * batch + n) * hidden;
    const initial = (from: Numbers | undefined, n: number) =>
      Array.from({ length: hidden }, (_, unit) => from?.[rowOf(n) + unit] ?? 0);
    const memory = Array.from({ length: batch }, (_, n) => Float64Array.from(initial(c0, n)));
    const h = Float32Array.from(memory.flatMap((_, n) => initial(h0, n)));
    lastH.set(runDirection({ ...p, ...operands, d, weights: weightsOf(c, p, d), h, c: memory, y }), rowOf(0));
    for (const [n, row] of memory.entries()) lastC.set(row, rowOf(n));
  }
  return [
    tensorOf('float32', [steps, directions, batch, hidden], y),
    tensorOf('float32', state, lastH),
    tensorOf('float32', state, lastC),
  ];
}

/** LSTM steps that quantize their state before each product with integer weights. The inputs' gate sums are computed beforehand. */
export const quantizedRecurrent: Primitive<QuantizedRecurrentParameters> = {
  name: 'quantizedRecurrent',
  facts: {},
  reference: runAll,
};

interface Attributes {
  readonly activations: readonly string[] | undefined;
  readonly activation_alpha: readonly number[] | undefined;
  readonly activation_beta: readonly number[] | undefined;
  readonly clip: number | undefined;
  readonly direction: string;
  readonly input_forget: number;
}

/** The attributes of an LSTM that do not describe the layout of its weights. */
export const quantizedRecurrentAttributes = {
  activations: strings(),
  activation_alpha: floats(),
  activation_beta: floats(),
  clip: float(),
  direction: oneOf('forward', 'reverse', 'bidirectional'),
  input_forget: int(0),
};

function parametersOf(c: Inference<Attributes>): QuantizedRecurrentParameters | undefined {
  const [gates, r] = [c.dims(Input.gates), c.dims(Input.R)];
  if (![gates, r].every((dims) => dims?.every((d) => typeof d === 'number'))) return undefined;
  const [directions, steps, batch, columns] = gates as [number, number, number, number];
  const { clip, direction, input_forget } = c.attributes;
  return {
    directions,
    steps,
    batch,
    hidden: columns / GATES,
    activations: activationsOf(c, directions, ['Sigmoid', 'Tanh', 'Tanh']),
    reversed: REVERSED[direction] as number,
    clip: clip && clip > 0 ? clip : Number.POSITIVE_INFINITY,
    inputForget: input_forget !== 0,
  };
}

/** The recurrence of com.microsoft:DynamicQuantizeLSTM. Gates are [directions, steps, batch, 4 · hidden]. */
export const quantizedRecurrentOperator = defineOp({
  domain: 'sardonyx',
  name: 'QuantizedLSTM',
  signature:
    'gates: T, R: T2, R_scale: T, R_zero_point: T2, sequence_lens?: int32, initial_h?: T, initial_c?: T, P?: T -> Y?: T, Y_h?: T, Y_c?: T',
  types: { T: ['float32'], T2: ['int8', 'uint8'] },
  attributes: quantizedRecurrentAttributes,
  guarded: true,
  infer(c) {
    const gates = c.dims(Input.gates);
    const hidden = c.dims(Input.R)?.[1];
    if (!gates || hidden === undefined) return [0, 1, 2].map(() => tensorType('float32'));
    const [directions, steps, batch, columns] = gates as [Size, Size, Size, Size];
    const state = [directions, batch, hidden];
    if (differ(columns, multiply(GATES, hidden)))
      c.fail('INVALID_SHAPE', `gates [${formatSizes(gates)}] must have ${GATES} times ${formatSize(hidden)} columns`);
    requireDims(c, Input.R, [directions, hidden, columns]);
    requireDims(c, Input.peepholes, [directions, multiply(3, hidden)]);
    for (const i of [Input.scale, Input.zero])
      requireDims(c, i, c.dims(i)?.length === 1 ? [directions] : [directions, columns]);
    for (const i of [Input.initialH, Input.initialC]) requireDims(c, i, state);
    requireDims(c, Input.lengths, [batch]);
    return [
      tensorType('float32', [steps, directions, batch, hidden]),
      ...[0, 1].map(() => tensorType('float32', state)),
    ];
  },
  computes: by(quantizedRecurrent, parametersOf),
});
