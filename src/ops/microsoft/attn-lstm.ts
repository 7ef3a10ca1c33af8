import { account } from '../../account.js';
import { differ } from '../../graph/guards.js';
import { tensorType } from '../../graph/types.js';
import { activate } from '../../primitives/recur-on-host.js';
import { activationsOf, type GateActivation } from '../../primitives/recurrent-activations.js';
import { CELLS, type Cell } from '../../primitives/recurrent-cells.js';
import { REVERSED, type RecurrentParameters } from '../../primitives/recurrent-shapes.js';
import { float, floats, int, oneOf, strings } from '../../schema/attributes.js';
import { defineOp, type Evaluation } from '../../schema/definition.js';
import { dimsOfRank, requireDims } from '../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';

const [X, W, R, B, LENGTHS, H0, C0, P, QW, MW, V, MEMORY, MEMORY_LENGTHS, AW] = Array.from(
  { length: 14 },
  (_, i) => i,
) as [number, number, number, number, number, number, number, number, number, number, number, number, number, number];

type Numbers = ArrayLike<number>;

interface Attributes {
  readonly activations: readonly string[] | undefined;
  readonly activation_alpha: readonly number[] | undefined;
  readonly activation_beta: readonly number[] | undefined;
  readonly clip: number | undefined;
  readonly direction: string;
  readonly input_forget: number;
}

/** Multiplies a row by a matrix [row.length, columns] that starts at offset `from`. */
function times(row: Numbers, matrix: Numbers, from: number, columns: number): Float64Array {
  account()?.spend(row.length * columns);
  const y = new Float64Array(columns);
  for (let i = 0; i < row.length; i++)
    for (let j = 0; j < columns; j++)
      y[j] = (y[j] as number) + (row[i] as number) * (matrix[from + i * columns + j] as number);
  return y;
}

const slice = (from: Numbers, start: number, length: number): Float64Array =>
  Float64Array.from({ length }, (_, i) => from[start + i] ?? 0);

/** Sizes of a node, and access to its inputs. */
function operandsOf(c: Evaluation<Attributes>) {
  const read = (i: number): Numbers | undefined => (c.given(i) ? numbersOf(c.tensor(i)) : undefined);
  const sizes = (i: number) => c.tensor(i).dims as [number, number, number];
  const [steps, batch, input] = sizes(X);
  const [directions, , hidden] = sizes(R);
  const [, depth, attention] = sizes(MW);
  const capacity = sizes(MEMORY)[1];
  const state = c.given(AW) ? sizes(AW)[2] : depth;
  const clip = c.attributes.clip || Number.POSITIVE_INFINITY;
  const activations = activationsOf(c, directions, ['Sigmoid', 'Tanh', 'Tanh']);
  return { read, steps, batch, input, directions, hidden, depth, attention, capacity, state, clip, activations };
}

type Operands = ReturnType<typeof operandsOf>;

/** Bahdanau attention of direction `d` to the memory of sequence `n`, as a function of the hidden state. */
function attentionOf(c: Evaluation<Attributes>, o: Operands, d: number, n: number): (h: Float64Array) => Float64Array {
  const [queries, keys, v, memory] = [QW, MW, V, MEMORY].map((i) => numbersOf(c.tensor(i))) as [
    Numbers,
    Numbers,
    Numbers,
    Numbers,
  ];
  const { depth, attention, hidden, capacity, state } = o;
  const length = o.read(MEMORY_LENGTHS)?.[n] ?? capacity;
  if (length < 1 || length > capacity)
    c.fail('INVALID_VALUE', `the memory's length must be from 1 to ${capacity}, not ${length}`);
  const values = Array.from({ length }, (_, step) => slice(memory, (n * capacity + step) * depth, depth));
  const processed = values.map((value) => times(value, keys, d * depth * attention, attention));
  const layer = o.read(AW);
  return (h) => {
    const query = times(h, queries, d * hidden * attention, attention);
    const scores = processed.map((key) =>
      key.reduce((sum, x, i) => sum + (v[d * attention + i] as number) * Math.tanh(x + (query[i] as number)), 0),
    );
    const largest = Math.max(...scores);
    const shares = scores.map((score) => Math.exp(score - largest));
    const total = shares.reduce((a, b) => a + b, 0);
    const context = Float64Array.from({ length: depth }, (_, i) =>
      values.reduce((sum, value, step) => sum + ((shares[step] as number) / total) * (value[i] as number), 0),
    );
    return layer ? times([...h, ...context], layer, d * (hidden + depth) * state, state) : context;
  };
}

/** Computes the next hidden state of direction `d` from the input x, the state `h` and the attention's context. */
function stepOf(
  o: Operands,
  cell: Cell,
  d: number,
): (x: Numbers, h: Float64Array, memory: Float64Array) => Float64Array {
  const { hidden, clip, activations } = o;
  const [w, r, b] = [W, R, B].map((i) => o.read(i)) as [Numbers, Numbers, Numbers | undefined];
  const width = o.input + o.state;
  const dot = (weights: Numbers, from: number, v: Numbers) => {
    account()?.spend(v.length);
    let sum = 0;
    for (let i = 0; i < v.length; i++) sum += (weights[from + i] as number) * (v[i] as number);
    return sum;
  };
  const row = (gate: number, unit: number) => gate * hidden + unit;
  const own = activations[d] as readonly GateActivation[];
  return (x, h, memory) =>
    cell(
      {
        hidden,
        direction: d,
        h,
        input: (gate, unit) =>
          dot(w, (4 * hidden * d + row(gate, unit)) * width, x) + (b?.[8 * hidden * d + row(gate, unit)] ?? 0),
        recurrent: (gate, unit, v) => dot(r, (4 * hidden * d + row(gate, unit)) * hidden, v),
        bias: (gate, unit) => b?.[8 * hidden * d + row(4 + gate, unit)] ?? 0,
        activate: (i, value, clipped = true) =>
          activate(own[i] as GateActivation, clipped ? Math.min(Math.max(value, -clip), clip) : value),
      },
      memory,
    );
}

/**
 * https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.AttnLSTM: an LSTM with attention to a memory.
 */
export const attnLSTM = defineOp({
  domain: 'com.microsoft',
  name: 'AttnLSTM',
  signature:
    'X: T, W: T, R: T, B?: T, sequence_lens?: T1, initial_h?: T, initial_c?: T, P?: T, QW: T, MW: T, V: T, M: T, memory_seq_lens?: T1, AW?: T -> Y?: T, Y_h?: T, Y_c?: T',
  types: { T: ['float32', 'float64'], T1: ['int32'] },
  attributes: {
    activations: strings(),
    activation_alpha: floats(),
    activation_beta: floats(),
    clip: float(),
    direction: oneOf('forward', 'reverse', 'bidirectional'),
    hidden_size: int(),
    input_forget: int(0),
  },
  infer(c) {
    const [x, r, queries, keys, memory] = [X, R, QW, MW, MEMORY].map((i) => dimsOfRank(c, i, 3));
    const [hidden, batch] = [r?.[2], x?.[1]];
    const directions = c.attributes.direction === 'bidirectional' ? 2 : 1;
    const layer = c.given(AW) ? dimsOfRank(c, AW, 3) : undefined;
    const state = c.given(AW) ? layer?.[2] : keys?.[1];
    const rows = typeof hidden === 'number' ? 4 * hidden : undefined;
    const width = typeof x?.[2] === 'number' && typeof state === 'number' ? x[2] + state : undefined;
    requireDims(c, R, [directions, rows, hidden]);
    requireDims(c, W, [directions, rows, width]);
    requireDims(c, B, [directions, rows && 2 * rows]);
    requireDims(c, LENGTHS, [batch]);
    for (const i of [H0, C0]) requireDims(c, i, [directions, batch, hidden]);
    requireDims(c, P, [directions, rows && (rows / 4) * 3]);
    requireDims(c, QW, [directions, hidden, keys?.[2]]);
    requireDims(c, V, [directions, keys?.[2]]);
    requireDims(c, MEMORY, [batch, memory?.[1], keys?.[1]]);
    requireDims(c, MEMORY_LENGTHS, [batch]);
    if (differ(queries?.[0], keys?.[0]))
      c.fail('INVALID_SHAPE', `QW [${queries}] and MW [${keys}] must have the same number of directions`);
    const element = c.element(X);
    if (!x || hidden === undefined) return [0, 1, 2].map(() => tensorType(element));
    const last = tensorType(element, [directions, x[1] as number, hidden]);
    return [tensorType(element, [x[0] as number, directions, x[1] as number, hidden]), last, last];
  },
  evaluate(c) {
    const o = operandsOf(c);
    const { steps, batch, input, directions, hidden, state, read } = o;
    const cell = CELLS.LSTM({ inputForget: c.attributes.input_forget !== 0 } as RecurrentParameters, read(P));
    const states = () => new Float64Array(directions * batch * hidden);
    const [y, lastH, lastC] = [new Float64Array(steps * directions * batch * hidden), states(), states()];
    const x = numbersOf(c.tensor(X));
    const reversed = REVERSED[c.attributes.direction] as number;
    for (let d = 0; d < directions; d++) {
      const next = stepOf(o, cell, d);
      for (let n = 0; n < batch; n++) {
        const at = (d * batch + n) * hidden;
        const attend = attentionOf(c, o, d, n);
        const length = read(LENGTHS)?.[n] ?? steps;
        if (length < 0 || length > steps)
          c.fail('INVALID_VALUE', `sequence lengths must be from 0 to ${steps}, not ${length}`);
        let h: Float64Array = slice(read(H0) ?? [], at, hidden);
        const second = slice(read(C0) ?? [], at, hidden);
        let attention: Float64Array = new Float64Array(state);
        for (let s = 0; s < length; s++) {
          const t = (reversed >> d) & 1 ? length - 1 - s : s;
          h = next(Float64Array.of(...slice(x, (t * batch + n) * input, input), ...attention), h, second);
          y.set(h, ((t * directions + d) * batch + n) * hidden);
          attention = attend(h);
        }
        lastH.set(h, at);
        lastC.set(second, at);
      }
    }
    const element = c.element(X);
    const last = (values: Float64Array) => tensorOf(element, [directions, batch, hidden], values);
    return [tensorOf(element, [steps, directions, batch, hidden], y), last(lastH), last(lastC)];
  },
});
