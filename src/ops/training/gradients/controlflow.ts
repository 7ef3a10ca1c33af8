import { graphTypes } from '../../../analysis/subgraph-types.js';
import { intAttribute, intsAttribute } from '../../../graph/attributes.js';
import type { Attributes, Graph, Node, Value } from '../../../graph/graph.js';
import { tensorType, type ValueType } from '../../../graph/types.js';
import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { permutation } from '../../channels-last.js';
import { arithmeticOn, type Emitting, emitOne, listOf, reshapeTo, scalarOf } from '../../emit.js';
import { carriedTypes } from '../../onnx/controlflow/carried-types.js';
import { controlTypes, dimsOfOne } from '../../onnx/controlflow/loop-control.js';
import { sequenceOf } from '../../onnx/sequence/elements.js';
import { type Backward, type BackwardRules, isReal, rankOf, type Scope } from './backward.js';
import { added, zerosOf } from './sequences.js';

type Types = readonly (ValueType | null)[];

const COUNTER = tensorType('int64', []);
const CONDITION = tensorType('bool', []);

const reshaped = (c: Emitting, value: Value, dims: readonly number[]): Value =>
  dims.length === 0 ? value : reshapeTo(c, value, dims);
const elementAt = (c: Emitting, value: Value, i: Value, axis = 0): Value =>
  emitOne(c, 'Gather', [value, i], { axis: intAttribute(axis) });

/** Repeats each branch, with its gradients. */
function conditional(c: Backward): (Value | null)[] {
  const seeds = c.node.outputs.map((_, i) => c.upstream(i));
  const branch = (name: string) => {
    const graph = c.graph(name, [], (scope) => {
      const derivatives = scope.through(c.attributes[name] as Graph, [], seeds, c.captures);
      return c.captures.map((value, i) => derivatives[i] ?? zerosOf(scope, value, c.typeOf(value)));
    });
    return { type: 'graph', value: graph } as const;
  };
  const branches = { then_branch: branch('then_branch'), else_branch: branch('else_branch') };
  return [null, ...c.emit('If', [c.input(0)], branches, c.captures.length)];
}

/** A loop, as its gradient needs it. */
interface Iterations {
  readonly body: Graph;
  /** Number of iterations. */
  readonly count: Value;
  /** Types of carried values; `inputs` and `outputs` are their first indices among the body's inputs and outputs. */
  readonly carried: Types;
  /** The node's outputs with the final carried values. */
  readonly states: readonly Value[];
  readonly inputs: number;
  readonly outputs: number;
  /** Types of the scanned elements, which are the body's last inputs. */
  readonly scanned: Types;
  /** The body's inputs in iteration `t`. */
  feeds(scope: Scope, t: Value): Value[];
  /** Gradients of the body's last outputs in iteration `t`. */
  collected(scope: Scope, t: Value): (Value | null)[];
}

/** Indices of carried and scanned values that have gradients. */
interface Active {
  readonly carried: readonly number[];
  readonly scanned: readonly number[];
}

const realOnes = (types: Types): number[] => types.flatMap((type, i) => (isReal(type) ? [i] : []));

/** Gradients at the start of the reversed loop: those of the results, and zeros for captures. */
const initialSums = (c: Backward, { carried, states }: Iterations, active: Active): Value[] => [
  ...active.carried.map((i) => c.upstream(i) ?? zerosOf(c, states[i] as Value, carried[i])),
  ...c.captures.map((value) => zerosOf(c, value, c.typeOf(value))),
];

/** Values that hold these gradients within an iteration. */
function sumsOf(c: Backward, { carried }: Iterations, active: Active): Value[] {
  const types = [...active.carried.map((i) => carried[i]), ...c.captures.map((value) => c.typeOf(value))];
  return types.map((type, k): Value => {
    const name = `${c.node.name}/sum${k}`;
    return type?.kind === 'sequence' ? { name, type } : { name };
  });
}

/** The body's feeds in iteration `t`, with their known types. */
function typedFeeds(loop: Iterations, scope: Scope, t: Value): Value[] {
  const feeds = loop.feeds(scope, t);
  [...loop.carried, ...loop.scanned].forEach((type, i) => {
    const declared = loop.body.inputs[loop.inputs + i]?.type;
    const known = type?.kind === 'tensor' && !type.dims && declared ? declared : type;
    if (known) (feeds[loop.inputs + i] as Value).type = known;
  });
  return feeds;
}

/** One iteration backward: the accumulated gradients, and the gradients of scanned elements. */
function derivedIteration(
  c: Backward,
  scope: Scope,
  loop: Iterations,
  active: Active,
  sums: readonly Value[],
  t: Value,
): Value[] {
  const { carried } = loop;
  const feeds = typedFeeds(loop, scope, t);
  const fed = (i: number) => feeds[loop.inputs + i] as Value;
  const seeds = [
    ...Array.from({ length: loop.outputs }, () => null),
    ...carried.map((_, i) => (active.carried.includes(i) ? (sums[active.carried.indexOf(i)] as Value) : null)),
    ...loop.collected(scope, t),
  ];
  const states = active.carried.map(fed);
  const slices = active.scanned.map((i) => fed(carried.length + i));
  const derivatives = scope.through(loop.body, feeds, seeds, [...states, ...c.captures, ...slices]);
  const totals = c.captures.map((value, k) => {
    const [sum, part] = [sums[states.length + k] as Value, derivatives[states.length + k]];
    return part ? added(scope, c.typeOf(value), sum, part) : sum;
  });
  const orZeros = (from: number) => (value: Value, k: number) =>
    derivatives[from + k] ?? zerosOf(scope, value, value.type);
  return [...states.map(orZeros(0)), ...totals, ...slices.map(orZeros(states.length + totals.length))];
}

/** A loop over the iterations from last to first, which carries the gradients of carried values. */
function reversed(c: Backward, loop: Iterations) {
  const { carried, scanned, count } = loop;
  const active: Active = { carried: realOnes(carried), scanned: realOnes(scanned) };
  const initial = initialSums(c, loop, active);
  const iteration: Value = { name: `${c.node.name}/iteration`, type: COUNTER };
  const condition: Value = { name: `${c.node.name}/condition`, type: CONDITION };
  const sums = sumsOf(c, loop, active);
  const graph = c.graph('reversed', [iteration, condition, ...sums], (scope) => {
    const f = arithmeticOn(scope, 'int64');
    const t = f('Sub', f('Sub', count, 1), iteration);
    t.type = COUNTER;
    return [condition, ...derivedIteration(c, scope, loop, active, sums, t)];
  });
  const attributes = { body: { type: 'graph', value: graph } } as const;
  const results = c.emit('Loop', [count, null, ...initial], attributes, initial.length + active.scanned.length);
  const spread = (positions: readonly number[], length: number, from: number) =>
    Array.from({ length }, (_, i) => (positions.includes(i) ? (results[from + positions.indexOf(i)] as Value) : null));
  return {
    carried: spread(active.carried, carried.length, 0),
    captures: results.slice(active.carried.length, initial.length),
    /** Gradients of scanned elements, in the order of the reversed loop. */
    scanned: spread(active.scanned, scanned.length, initial.length),
  };
}

const elementOf = (c: Backward, type: ValueType | null | undefined): ElementType =>
  type?.kind === 'tensor'
    ? type.element
    : c.fail('UNSUPPORTED_OPERATOR', 'has no derivative where it carries sequences');

function replaceAttributes(node: Node, attributes: Attributes): void {
  node.attributes = { ...node.attributes, ...attributes };
  node.binding = undefined;
}

/** Makes the loop keep the iteration number and the values carried into each iteration, in that order, as sequences. */
function remember(c: Backward, body: Graph, carried: Types): Value[] {
  const { node } = c;
  const kept = [body.inputs[0] as Value, ...body.inputs.slice(2)];
  const types = [COUNTER, ...carried];
  const name = (k: number, place: string) => `${node.name}/kept${k}/${place}`;
  const elements = types.map((type) => elementOf(c, type));
  const [before, after, saved] = ['before', 'after', 'saved'].map((place) =>
    elements.map((element, k): Value => ({ name: name(k, place), type: sequenceOf(tensorType(element)) })),
  ) as [Value[], Value[], Value[]];
  const empty = elements.map((element) =>
    emitOne(c, 'SequenceEmpty', [], { dtype: intAttribute(ELEMENTS[element].onnx) }),
  );
  const inserts = kept.map((value, k) => ({
    name: name(k, 'insert'),
    domain: '',
    op: 'SequenceInsert',
    inputs: [before[k] as Value, value],
    outputs: [after[k] as Value],
    attributes: {},
  }));
  const extended: Graph = {
    name: body.name,
    inputs: [...body.inputs, ...before],
    nodes: [...body.nodes, ...inserts],
    outputs: body.outputs.toSpliced(1 + carried.length, 0, ...after),
  };
  const [limit = null, condition = null, ...initial] = node.inputs;
  node.inputs = [limit, condition, ...initial, ...empty];
  node.outputs = node.outputs.toSpliced(carried.length, 0, ...saved);
  replaceAttributes(node, { body: { type: 'graph', value: extended } });
  return saved;
}

function loop(c: Backward): (Value | null)[] {
  const body = c.attributes.body as Graph;
  const initial = c.node.inputs.slice(2).map((_, i) => c.type(i + 2));
  const step = (types: Types) => graphTypes(c, body, [...controlTypes(body), ...types]).slice(1);
  const carried = carriedTypes(initial, step, () => c.unknown());
  const states = carried.map((_, i) => c.output(i));
  const collected = body.outputs.slice(1 + states.length).map((_, k) => {
    c.output(states.length + k);
    return c.upstream(states.length + k);
  });
  const [counter, ...kept] = remember(c, body, carried) as [Value, ...Value[]];
  const results = reversed(c, {
    body,
    count: emitOne(c, 'SequenceLength', [counter]),
    carried,
    states,
    inputs: 2,
    outputs: 1,
    scanned: [],
    feeds: (scope, t) => [
      reshaped(scope, t, dimsOfOne(body, 0)),
      scope.constant(tensorOf('bool', dimsOfOne(body, 1), [1])),
      ...kept.map((value) => emitOne(scope, 'SequenceAt', [value, t])),
    ],
    collected: (scope, t) => collected.map((value) => value && elementAt(scope, value, t)),
  });
  return [null, null, ...results.carried, ...[counter, ...kept].map(() => null), ...results.captures];
}

/** The integers of a Scan attribute for each of `count` values; 0 by default. */
const perValue = (c: Backward, name: string, count: number): number[] => {
  const given = c.attributes[name] as readonly number[] | undefined;
  return Array.from({ length: count }, (_, i) => given?.[i] ?? 0);
};

/** Axes and directions of a Scan's scanned inputs and collected outputs; direction 1 is backward. */
interface Walk {
  /** Number of states, which precede scanned inputs and collected outputs. */
  readonly states: number;
  readonly axes: readonly number[];
  readonly directions: readonly number[];
  readonly outAxes: readonly number[];
  readonly outDirections: readonly number[];
}

function walkOf(c: Backward, body: Graph): Walk {
  const scanned = c.attributes.num_scan_inputs as number;
  const states = c.inputCount - scanned;
  const collected = body.outputs.length - states;
  return {
    states,
    axes: perValue(c, 'scan_input_axes', scanned).map((axis, i) => {
      const rank = rankOf(c, states + i);
      return (axis + rank) % rank;
    }),
    directions: perValue(c, 'scan_input_directions', scanned),
    outAxes: perValue(c, 'scan_output_axes', collected),
    outDirections: perValue(c, 'scan_output_directions', collected),
  };
}

/** Makes the Scan also collect its states before each iteration. */
function keepStates(c: Backward, body: Graph, { states, outAxes, outDirections }: Walk): Value[] {
  const { node } = c;
  const kept = Array.from({ length: states }, (_, k): Value => ({ name: `${node.name}/kept${k}` }));
  const zeros = kept.map(() => 0);
  node.outputs = [...node.outputs, ...kept];
  replaceAttributes(node, {
    body: { type: 'graph', value: { ...body, outputs: [...body.outputs, ...body.inputs.slice(0, states)] } },
    scan_output_axes: intsAttribute([...outAxes, ...zeros]),
    scan_output_directions: intsAttribute([...outDirections, ...zeros]),
  });
  return kept;
}

/** Joins gradients of the elements of scanned input `i`, collected by the reversed loop, to the gradient of the input. */
function alongAxis(c: Backward, { states, axes, directions }: Walk, i: number, value: Value): Value {
  const forward = directions[i] ? value : flipped(c, value);
  const axis = axes[i] as number;
  const order = Array.from({ length: rankOf(c, states + i) - 1 }, (_, d) => d + 1).toSpliced(axis, 0, 0);
  return axis === 0 ? forward : emitOne(c, 'Transpose', [forward], permutation(order));
}

function scan(c: Backward): (Value | null)[] {
  if (c.since < 9) c.fail('UNSUPPORTED_OPERATOR', 'has no derivative before opset 9');
  const body = c.attributes.body as Graph;
  const walk = walkOf(c, body);
  const { axes, directions, outAxes, outDirections } = walk;
  const xs = axes.map((_, i) => c.input(walk.states + i));
  const scanned = axes.map((axis, i) =>
    tensorType(c.element(walk.states + i), c.dims(walk.states + i)?.toSpliced(axis, 1)),
  );
  const initial = Array.from({ length: walk.states }, (_, i) => c.type(i));
  const step = (types: Types) => graphTypes(c, body, [...types, ...scanned]);
  const carried = carriedTypes(initial, step, () => c.unknown());
  const seeds = outAxes.map((_, k) => {
    c.output(walk.states + k);
    return c.upstream(walk.states + k);
  });
  const states = carried.map((_, i) => c.output(i));
  const kept = keepStates(c, body, walk);
  const count = elementAt(c, emitOne(c, 'Shape', [xs[0] as Value]), scalarOf(c, axes[0] as number));
  const place = (scope: Emitting, t: Value, isReversed: number | undefined) =>
    isReversed ? arithmeticOn(scope, 'int64')('Sub', arithmeticOn(scope, 'int64')('Sub', count, 1), t) : t;
  const results = reversed(c, {
    body,
    count,
    carried,
    states,
    inputs: 0,
    outputs: 0,
    scanned,
    feeds: (scope, t) => [
      ...kept.map((value) => elementAt(scope, value, t)),
      ...xs.map((value, i) => elementAt(scope, value, place(scope, t, directions[i]), axes[i])),
    ],
    collected: (scope, t) =>
      seeds.map((value, k) => value && elementAt(scope, value, place(scope, t, outDirections[k]), outAxes[k])),
  });
  const unrolled = results.scanned.map((value, i) => value && alongAxis(c, walk, i, value));
  return [...results.carried, ...unrolled, ...results.captures];
}

const flipped = (c: Emitting, value: Value): Value =>
  emitOne(c, 'Slice', [value, ...[[-1], [Number.MIN_SAFE_INTEGER], [0], [-1]].map((list) => listOf(c, list))]);

export const controlflow: BackwardRules = { If: conditional, Loop: loop, Scan: scan };
