import { Emitter } from '../../../analysis/decompose.js';
import { floatAttribute, intAttribute, intsAttribute } from '../../../graph/attributes.js';
import type { Graph, Value } from '../../../graph/graph.js';
import { tensorType } from '../../../graph/types.js';
import { activationsOf, type GateActivation } from '../../../primitives/recurrent-activations.js';
import { directionsOf, Input, type RecurrentAttributes } from '../../../primitives/recurrent-shapes.js';
import type { Decomposition } from '../../../schema/definition.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { permutation } from '../../channels-last.js';
import { arithmeticOn, castTo, type Emitting, emitOne, listOf, reshapeTo } from '../../emit.js';
import type { Spelling, Spellings } from './backward.js';

type Attributes = RecurrentAttributes & { readonly input_forget?: number; readonly linear_before_reset?: number };
type Context = Decomposition<Attributes>;
type Arithmetic = ReturnType<typeof arithmeticOn>;

/** What a cell sees of one step. Gates are [batch, gates · hidden]: those of the input with its bias, and the recurrent ones. */
interface Step {
  readonly f: Arithmetic;
  readonly h: Value;
  readonly c: Value;
  /** Gate `i` of W·x + Wb. */
  input(i: number): Value;
  /** Gate `i` of R·v + Rb. */
  recurrent(i: number, v: Value): Value;
  /** Peephole `i`; null where there are none. */
  peephole(i: number): Value | null;
  /** Activation `i` of the direction, after the clip. */
  activate(i: number, x: Value, isClipped?: boolean): Value;
}

interface Cell {
  readonly gates: number;
  readonly activations: Parameters<typeof activationsOf>[2];
  readonly hasMemory: boolean;
  /** The next h, and the next c where the cell has a memory. */
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

/** Activations that are not an operator of their name and attributes. */
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

/** `count` equal parts along the last axis. */
const parts = (c: Emitting, value: Value, count: number, size: number): Value[] =>
  c.emit('Split', [value, listOf(c, Array(count).fill(size))], { axis: intAttribute(-1) }, count);

/** One direction as a Scan over the steps: Y [steps, batch, hidden], the last h and the last c. */
function direction(c: Context, cell: Cell, hidden: number, d: number, x: Value, valid: Value | null): Value[] {
  const element = c.element(Input.X);
  const { clip, direction: name } = c.attributes;
  const f = arithmeticOn(c, element);
  const at = c.constant(tensorOf('int64', [], [d]));
  const own = (i: number, axis = 0) =>
    c.given(i) ? emitOne(c, 'Gather', [c.input(i), at], { axis: intAttribute(axis) }) : null;
  const [w, r, b, p] = [Input.W, Input.R, Input.B, Input.peepholes].map((i) => own(i)) as [
    Value,
    Value,
    Value | null,
    Value | null,
  ];
  const size = cell.gates * hidden;
  const turned = (value: Value) => emitOne(c, 'Transpose', [value], permutation([1, 0]));
  const product = emitOne(c, 'MatMul', [x, turned(w)]);
  const [inputBias, recurrentBias] = b ? parts(c, b, 2, size) : [];
  const projected = inputBias ? f('Add', product, inputBias) : product;
  const weights = parts(c, turned(r), cell.gates, hidden);
  const biases = recurrentBias && parts(c, recurrentBias, cell.gates, hidden);
  const peepholes = p && parts(c, p, 3, hidden);
  const batch = emitOne(c, 'Shape', [x], { start: intAttribute(1), end: intAttribute(2) });
  const shape = emitOne(c, 'Concat', [batch, listOf(c, [hidden])], { axis: intAttribute(0) });
  const zeros = emitOne(c, 'ConstantOfShape', [shape], {
    value: { type: 'tensor', value: tensorOf(element, [1], [0]) },
  });
  const states = [Input.initialH, ...(cell.hasMemory ? [Input.initialC] : [])];
  const initial = states.map((i) => own(i, c.attributes.layout ? 1 : 0) ?? zeros);
  const activations = activationsOf(c, directionsOf(c), cell.activations)[d] as GateActivation[];

  const value = (part: string, dims: readonly (number | string)[]): Value => ({
    name: `${c.node.name}/${part}${d}`,
    type: tensorType(element, dims),
  });
  const batchSize = c.dims(Input.X)?.[c.attributes.layout ? 0 : 1] ?? c.unknown();
  const carried = states.map((_, k) => value(k === 0 ? 'h' : 'c', [batchSize, hidden]));
  const gates = value('gates', [batchSize, size]);
  const isValid: Value = { name: `${c.node.name}/valid${d}`, type: tensorType('bool', [batchSize, 1]) };
  const inner = new Emitter(`${c.node.name}/step${d}`);
  const g = arithmeticOn(inner, element);
  const [h, memory = h] = carried as [Value, Value?];
  const inputGates = parts(inner, gates, cell.gates, hidden);
  const next = cell.next(
    {
      f: g,
      h,
      c: memory,
      input: (i) => inputGates[i] as Value,
      recurrent(i, v) {
        const y = emitOne(inner, 'MatMul', [v, weights[i] as Value]);
        return biases ? g('Add', y, biases[i] as Value) : y;
      },
      peephole: (i) => peepholes && (peepholes[i] as Value),
      activate(i, sum, isClipped = true) {
        const clipped = clip && clip > 0 && isClipped ? g('Clip', sum, -clip, clip) : sum;
        return activated(inner, g, clipped, activations[i] as GateActivation);
      },
    },
    c.attributes,
  );
  const kept = valid ? next.map((state, k) => g('Where', isValid, state, carried[k] as Value)) : next;
  const y = valid ? g('Where', isValid, next[0] as Value, 0) : g('Identity', next[0] as Value);
  const inputs = [...carried, gates, ...(valid ? [isValid] : [])];
  const body: Graph = { name: 'step', inputs, nodes: inner.nodes, outputs: [...kept, y] };
  const isReversed = Number(name === 'reverse' || d === 1);
  const scanned = [projected, ...(valid ? [valid] : [])];
  const results = c.emit(
    'Scan',
    [...initial, ...scanned],
    {
      body: { type: 'graph', value: body },
      num_scan_inputs: intAttribute(scanned.length),
      scan_input_directions: intsAttribute(scanned.map(() => isReversed)),
      scan_output_directions: intsAttribute([isReversed]),
    },
    states.length + 1,
  );
  return [results.at(-1) as Value, ...results.slice(0, -1)];
}

/** Which steps lie inside the sequences: [steps, batch, 1]. */
function validSteps(c: Context, x: Value): Value | null {
  if (!c.given(Input.lengths)) return null;
  const f = arithmeticOn(c, 'int64');
  const steps = emitOne(c, 'Gather', [emitOne(c, 'Shape', [x]), c.constant(tensorOf('int64', [], [0]))]);
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
    const all = Array.from({ length: directionsOf(c) }, (_, d) => direction(c, cell, hidden, d, x, valid));
    const joined = (k: number, axis: number) => {
      const parts = all.map((own) => emitOne(c, 'Unsqueeze', [own[k] as Value, listOf(c, [axis])]));
      return parts.length > 1 ? emitOne(c, 'Concat', parts, { axis: intAttribute(axis) }) : (parts[0] as Value);
    };
    const y = joined(0, layout ? 2 : 1);
    const states = Array.from({ length: cell.hasMemory ? 2 : 1 }, (_, k) => joined(k + 1, layout ? 1 : 0));
    return [layout ? emitOne(c, 'Transpose', [y], permutation([1, 0, 2, 3])) : y, ...states];
  };

/** The recurrent operators step by step. */
export const recurrent: Spellings = Object.fromEntries(
  Object.entries(CELLS).map(([name, cell]) => [name, recurrence(cell)]),
);
