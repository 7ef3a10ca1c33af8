import { Emitter } from '../../../analysis/decompose.js';
import { floatAttribute, intAttribute, intsAttribute } from '../../../graph/attributes.js';
import type { Graph, Value } from '../../../graph/graph.js';
import { tensorType } from '../../../graph/types.js';
import { activationsOf, type GateActivation } from '../../../primitives/recurrent-activations.js';
import { directionsOf, Input, type RecurrentAttributes } from '../../../primitives/recurrent-shapes.js';
import type { Decomposition } from '../../../schema/definition.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { permutation } from '../../channels-last.js';
import { arithmeticOn, castTo, type Emitting, emitOne, listOf, reshapeTo, scalarOf } from '../../emit.js';
import type { Spelling, Spellings } from './backward.js';

type Attributes = RecurrentAttributes & { readonly input_forget?: number; readonly linear_before_reset?: number };
type Context = Decomposition<Attributes>;
type Arithmetic = ReturnType<typeof arithmeticOn>;

/** Operands of a cell in one step. Gates are [batch, gates · hidden]: input gates, which include the bias, and recurrent gates. */
interface Step {
  readonly f: Arithmetic;
  readonly h: Value;
  readonly c: Value;
  /** Gate `i` of W·x + Wb. */
  input(i: number): Value;
  /** Gate `i` of R·v + Rb. */
  recurrent(i: number, v: Value): Value;
  /** Peephole `i`; null if there are none. */
  peephole(i: number): Value | null;
  /** Activation `i` of the direction, after the clip. */
  activate(i: number, x: Value, isClipped?: boolean): Value;
}

interface Cell {
  readonly gates: number;
  readonly activations: Parameters<typeof activationsOf>[2];
  readonly hasMemory: boolean;
  /** The next h, and the next c if the cell has a memory. */
  next(step: Step, attributes: Attributes): Value[];
}

const sum = (f: Arithmetic, x: Value, ...rest: readonly (Value | null)[]): Value =>
  rest.reduce<Value>((total, part) => (part ? f('Add', total, part) : total), x);

const CELLS: Readonly<Record<string, Cell>> = {
  RNN: {
    gates: 1,
    activations: ['Tanh'],
    hasMemory: false,
    next: (s) => [s.activate(0, sum(s.f, s.input(0), s.recurrent(0, s.h)))],
  },
  GRU: {
    gates: 3,
    activations: ['Sigmoid', 'Tanh'],
    hasMemory: false,
    next(s, { linear_before_reset }) {
      const [z, r] = [0, 1].map((i) => s.activate(0, s.f('Add', s.input(i), s.recurrent(i, s.h)))) as [Value, Value];
      const reset = linear_before_reset ? s.f('Mul', r, s.recurrent(2, s.h)) : s.recurrent(2, s.f('Mul', r, s.h));
      const fresh = s.activate(1, s.f('Add', s.input(2), reset));
      return [s.f('Add', s.f('Mul', s.f('Sub', 1, z), fresh), s.f('Mul', z, s.h))];
    },
  },
  LSTM: {
    gates: 4,
    activations: ['Sigmoid', 'Tanh', 'Tanh'],
    hasMemory: true,
    next(s, { input_forget }) {
      const peeped = (i: number, c: Value) => {
        const weights = s.peephole(i);
        return weights && s.f('Mul', weights, c);
      };
      const gate = (i: number, peephole: Value | null) => sum(s.f, s.input(i), s.recurrent(i, s.h), peephole);
      const taken = s.activate(0, gate(0, peeped(0, s.c)));
      const kept = input_forget ? s.f('Sub', 1, taken) : s.activate(0, gate(2, peeped(2, s.c)));
      const c = s.f('Add', s.f('Mul', kept, s.c), s.f('Mul', taken, s.activate(1, gate(3, null))));
      return [s.f('Mul', s.activate(0, gate(1, peeped(1, c))), s.activate(2, c, false)), c];
    },
  },
};

/** Activations that are not an operator with the same name and attributes. */
const FORMULAS: Readonly<Record<string, (f: Arithmetic, x: Value, a: GateActivation) => Value>> = {
  Affine: (f, x, { alpha, beta }) => f('Add', f('Mul', x, alpha), beta),
  ScaledTanh: (f, x, { alpha, beta }) => f('Mul', f('Tanh', f('Mul', x, beta)), alpha),
};

function activated(c: Emitting, f: Arithmetic, x: Value, activation: GateActivation): Value {
  const { name } = activation;
  const formula = FORMULAS[name];
  if (formula) return formula(f, x, activation);
  const { alpha, beta } = activation;
  return emitOne(c, name, [x], {
    ...(alpha !== 0 && { alpha: floatAttribute(alpha) }),
    ...(name === 'HardSigmoid' && { beta: floatAttribute(beta) }),
  });
}

/** Splits the last axis into `count` equal parts. */
const parts = (c: Emitting, value: Value, count: number, size: number): Value[] =>
  c.emit('Split', [value, listOf(c, Array(count).fill(size))], { axis: intAttribute(-1) }, count);

/** One direction of a recurrence. */
interface Direction {
  readonly cell: Cell;
  readonly hidden: number;
  /** 0, or 1 for the second of two. */
  readonly d: number;
}

/** Weights of a direction, computed before its first step; one per gate, except for the projection. */
interface Weights {
  /** W·x + Wb of all steps. */
  readonly projected: Value;
  readonly recurrent: readonly Value[];
  readonly biases: readonly Value[] | null;
  readonly peepholes: readonly Value[] | null;
}

/** A direction's part of an input; null if the input is omitted. */
const partOf = (c: Context, i: number, d: number, axis = 0): Value | null =>
  c.given(i) ? emitOne(c, 'Gather', [c.input(i), scalarOf(c, d)], { axis: intAttribute(axis) }) : null;

function weightsOf(c: Context, { cell, hidden, d }: Direction, x: Value): Weights {
  const { gates } = cell;
  const [w, r] = [Input.W, Input.R].map((i) => partOf(c, i, d)) as [Value, Value];
  const [b, p] = [Input.B, Input.peepholes].map((i) => partOf(c, i, d)) as [Value | null, Value | null];
  const turned = (value: Value) => emitOne(c, 'Transpose', [value], permutation([1, 0]));
  const product = emitOne(c, 'MatMul', [x, turned(w)]);
  const [inputBias, recurrentBias] = b ? parts(c, b, 2, gates * hidden) : [];
  return {
    projected: inputBias ? arithmeticOn(c, c.element(Input.X))('Add', product, inputBias) : product,
    recurrent: parts(c, turned(r), gates, hidden),
    biases: recurrentBias ? parts(c, recurrentBias, gates, hidden) : null,
    peepholes: p && parts(c, p, 3, hidden),
  };
}

/** Indices of the inputs with a cell's initial states. */
const statesOf = (cell: Cell): number[] => [Input.initialH, ...(cell.hasMemory ? [Input.initialC] : [])];

function initialStates(c: Context, { cell, hidden, d }: Direction, x: Value): Value[] {
  const batch = emitOne(c, 'Shape', [x], { start: intAttribute(1), end: intAttribute(2) });
  const shape = emitOne(c, 'Concat', [batch, listOf(c, [hidden])], { axis: intAttribute(0) });
  const zero = { type: 'tensor', value: tensorOf(c.element(Input.X), [1], [0]) } as const;
  const zeros = emitOne(c, 'ConstantOfShape', [shape], { value: zero });
  return statesOf(cell).map((i) => partOf(c, i, d, c.attributes.layout ? 1 : 0) ?? zeros);
}

/** Operands of a cell in the body of the Scan, for the states and the gates of the input. */
function stepIn(
  c: Context,
  inner: Emitter,
  { cell, hidden, d }: Direction,
  weights: Weights,
  states: readonly Value[],
  gates: Value,
): Step {
  const f = arithmeticOn(inner, c.element(Input.X));
  const { clip } = c.attributes;
  const [h, memory = h] = states as [Value, Value?];
  const inputGates = parts(inner, gates, cell.gates, hidden);
  const activations = activationsOf(c, directionsOf(c), cell.activations)[d] as GateActivation[];
  return {
    f,
    h,
    c: memory,
    input: (i) => inputGates[i] as Value,
    recurrent(i, v) {
      const y = emitOne(inner, 'MatMul', [v, weights.recurrent[i] as Value]);
      return weights.biases ? f('Add', y, weights.biases[i] as Value) : y;
    },
    peephole: (i) => weights.peepholes && (weights.peepholes[i] as Value),
    activate(i, sum, isClipped = true) {
      const clipped = clip && clip > 0 && isClipped ? f('Clip', sum, -clip, clip) : sum;
      return activated(inner, f, clipped, activations[i] as GateActivation);
    },
  };
}

/** Body of one step: takes the states, the input gates and, with lengths, whether the step is valid; returns the next states and y. */
function bodyOf(c: Context, own: Direction, weights: Weights, hasLengths: boolean): Graph {
  const { cell, hidden, d } = own;
  const element = c.element(Input.X);
  const batch = c.dims(Input.X)?.[c.attributes.layout ? 0 : 1] ?? c.unknown();
  const value = (part: string, type: ElementType, width: number): Value => ({
    name: `${c.node.name}/${part}${d}`,
    type: tensorType(type, [batch, width]),
  });
  const states = statesOf(cell).map((_, k) => value(k === 0 ? 'h' : 'c', element, hidden));
  const gates = value('gates', element, cell.gates * hidden);
  const inner = new Emitter(`${c.node.name}/step${d}`);
  const next = cell.next(stepIn(c, inner, own, weights, states, gates), c.attributes);
  const f = arithmeticOn(inner, element);
  const [h] = next as [Value];
  if (!hasLengths)
    return { name: 'step', inputs: [...states, gates], nodes: inner.nodes, outputs: [...next, f('Identity', h)] };
  const valid = value('valid', 'bool', 1);
  const kept = next.map((state, k) => f('Where', valid, state, states[k] as Value));
  const outputs = [...kept, f('Where', valid, h, 0)];
  return { name: 'step', inputs: [...states, gates, valid], nodes: inner.nodes, outputs };
}

/** One direction as a Scan over the steps. Returns Y [steps, batch, hidden], the last h and the last c. */
function direction(c: Context, own: Direction, x: Value, valid: Value | null): Value[] {
  const weights = weightsOf(c, own, x);
  const initial = initialStates(c, own, x);
  const scanned = [weights.projected, ...(valid ? [valid] : [])];
  const isReversed = Number(c.attributes.direction === 'reverse' || own.d === 1);
  const results = c.emit(
    'Scan',
    [...initial, ...scanned],
    {
      body: { type: 'graph', value: bodyOf(c, own, weights, valid !== null) },
      num_scan_inputs: intAttribute(scanned.length),
      scan_input_directions: intsAttribute(scanned.map(() => isReversed)),
      scan_output_directions: intsAttribute([isReversed]),
    },
    initial.length + 1,
  );
  return [results.at(-1) as Value, ...results.slice(0, -1)];
}

/** Whether each step lies within its sequence, [steps, batch, 1]. */
function validSteps(c: Context, x: Value): Value | null {
  if (!c.given(Input.lengths)) return null;
  const f = arithmeticOn(c, 'int64');
  const steps = emitOne(c, 'Gather', [emitOne(c, 'Shape', [x]), scalarOf(c, 0)]);
  const at = reshapeTo(c, f('Range', 0, steps, 1), [-1, 1, 1]);
  return f('Less', at, reshapeTo(c, castTo(c, c.input(Input.lengths), 'int64'), [1, -1, 1]));
}

const recurrence =
  (cell: Cell): Spelling =>
  (c: Context) => {
    const hidden = c.dims(Input.R)?.[2] ?? c.attributes.hidden_size;
    if (typeof hidden !== 'number') return undefined;
    const { layout } = c.attributes;
    const x = layout ? emitOne(c, 'Transpose', [c.input(Input.X)], permutation([1, 0, 2])) : c.input(Input.X);
    const valid = validSteps(c, x);
    const all = Array.from({ length: directionsOf(c) }, (_, d) => direction(c, { cell, hidden, d }, x, valid));
    const joined = (k: number, axis: number) => {
      const parts = all.map((own) => emitOne(c, 'Unsqueeze', [own[k] as Value, listOf(c, [axis])]));
      return parts.length > 1 ? emitOne(c, 'Concat', parts, { axis: intAttribute(axis) }) : (parts[0] as Value);
    };
    const y = joined(0, layout ? 2 : 1);
    const states = Array.from({ length: cell.hasMemory ? 2 : 1 }, (_, k) => joined(k + 1, layout ? 1 : 0));
    return [layout ? emitOne(c, 'Transpose', [y], permutation([1, 0, 2, 3])) : y, ...states];
  };

/** Recurrent operators, computed step by step. */
export const recurrent: Spellings = Object.fromEntries(
  Object.entries(CELLS).map(([name, cell]) => [name, recurrence(cell)]),
);
