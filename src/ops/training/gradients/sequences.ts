import { intAttribute } from '../../../graph/attributes.js';
import type { Attribute, Graph, Value } from '../../../graph/graph.js';
import type { ValueType } from '../../../graph/types.js';
import { arithmeticOn, emitOne, listOf, scalarOf } from '../../emit.js';
import {
  type Backward,
  type BackwardRule,
  type BackwardRules,
  filled,
  isReal,
  type Scope,
  upstreamOf,
} from './backward.js';

const graphAttribute = (value: Graph): Attribute => ({ type: 'graph', value });

/** Type of the tensors that a value consists of. */
const tensorIn = (type: ValueType): ValueType =>
  type.kind === 'sequence' || type.kind === 'optional' ? tensorIn(type.of) : type;

/** Applies `build` to the elements of sequences of equal length. */
function mapped(
  c: Scope,
  sequences: readonly Value[],
  type: ValueType,
  build: (scope: Scope, elements: Value[]) => Value,
) {
  const elements = sequences.map((_, i): Value => ({ name: `element${i}`, type: tensorIn(type) }));
  const body = c.graph('each', elements, (scope) => [build(scope, elements)]);
  return emitOne(c, 'SequenceMap', sequences, { body: graphAttribute(body) });
}

/** A zero gradient of a value; the gradient of an optional is that of its content. */
export function zerosOf(c: Scope, value: Value, type: ValueType | null | undefined): Value {
  if (type?.kind === 'optional') return zerosOf(c, emitOne(c, 'OptionalGetElement', [value]), type.of);
  if (type?.kind === 'sequence') return mapped(c, [value], type, (scope, [x]) => zerosOf(scope, x as Value, x?.type));
  return filled(c, value, isReal(type) && type?.kind === 'tensor' ? type.element : 'float32', 0);
}

/** Adds two gradients of a value of that type. */
export function added(c: Scope, type: ValueType | undefined, a: Value, b: Value): Value {
  if (type?.kind === 'optional') return added(c, type.of, a, b);
  if (type?.kind !== 'sequence') return emitOne(c, 'Add', [a, b]);
  return mapped(c, [a, b], type, (scope, elements) => emitOne(scope, 'Add', elements));
}

/** A position in sequence 0, counted from the start; input `i` is optional. */
function positionAt(c: Backward, i: number, fallback: 'last' | 'end'): Value {
  const f = arithmeticOn(c, 'int64');
  const length = emitOne(c, 'SequenceLength', [c.input(0)]);
  if (!c.given(i)) return fallback === 'end' ? length : f('Sub', length, 1);
  const given = emitOne(c, 'Cast', [c.input(i)], { to: intAttribute(7) });
  return f('Where', f('Less', given, 0), f('Add', given, length), given);
}

function at(c: Backward): (Value | null)[] {
  const position = positionAt(c, 1, 'last');
  const zeros = emitOne(c, 'SequenceErase', [zerosOf(c, c.input(0), c.type(0)), position]);
  return [emitOne(c, 'SequenceInsert', [zeros, upstreamOf(c), position]), null];
}

function insert(c: Backward): (Value | null)[] {
  const [position, g] = [positionAt(c, 2, 'end'), upstreamOf(c)];
  return [emitOne(c, 'SequenceErase', [g, position]), emitOne(c, 'SequenceAt', [g, position]), null];
}

function erase(c: Backward): (Value | null)[] {
  const position = positionAt(c, 1, 'last');
  const removed = emitOne(c, 'SequenceAt', [c.input(0), position]);
  return [emitOne(c, 'SequenceInsert', [upstreamOf(c), zerosOf(c, removed, tensorIn(c.type(0))), position]), null];
}

function concatenated(c: Backward): Value[] {
  const { axis, new_axis } = c.attributes as { axis: number; new_axis: number };
  const along = { axis: intAttribute(axis) };
  if (new_axis) return [emitOne(c, 'SplitToSequence', [upstreamOf(c), null], { ...along, keepdims: intAttribute(0) })];
  const lengths = mapped(c, [c.input(0)], c.type(0), (scope, [x]) => {
    const one = emitOne(scope, 'Gather', [emitOne(scope, 'Shape', [x as Value]), scalarOf(scope, axis)]);
    return emitOne(scope, 'Unsqueeze', [one, listOf(scope, [0])]);
  });
  const sizes = emitOne(c, 'ConcatFromSequence', [lengths], { axis: intAttribute(0) });
  return [emitOne(c, 'SplitToSequence', [upstreamOf(c), sizes], along)];
}

function split(c: Backward): (Value | null)[] {
  const { axis, keepdims } = c.attributes as { axis: number; keepdims: number };
  const isDropped = !c.given(1) && !keepdims;
  const attributes = { axis: intAttribute(axis), new_axis: intAttribute(Number(isDropped)) };
  return [emitOne(c, 'ConcatFromSequence', [upstreamOf(c)], attributes), null];
}

/** Runs the body backward on each element; inputs that are not sequences receive the sum of their gradients. */
function map(c: Backward): (Value | null)[] {
  const body = c.attributes.body as Graph;
  const types = c.node.inputs.map((_, i) => c.type(i));
  const seeds = c.node.outputs.map((_, i) => c.upstream(i));
  const given = seeds.filter((seed) => seed !== null);
  const feeds = types.map((type, i): Value => ({ name: `x${i}`, type: type.kind === 'sequence' ? type.of : type }));
  const upstream = given.map((_, i): Value => ({ name: `g${i}` }));
  const variables = feeds.filter(({ type }) => isReal(type));
  const inner = c.graph('backward', [...feeds, ...upstream], (scope) => {
    const own = seeds.map((seed) => seed && (upstream[given.indexOf(seed)] as Value));
    const all = [...variables, ...c.captures];
    const derivatives = scope.through(body, feeds, own, all);
    return all.map((value, i) => derivatives[i] ?? zerosOf(scope, value, value.type ?? c.typeOf(value)));
  });
  const inputs = [...c.node.inputs, ...given];
  const results = c.emit('SequenceMap', inputs, { body: graphAttribute(inner) }, inner.outputs.length);
  const total = (value: Value) => {
    const stacked = emitOne(c, 'ConcatFromSequence', [value], { axis: intAttribute(0), new_axis: intAttribute(1) });
    return emitOne(c, 'ReduceSum', [stacked, listOf(c, [0])], { keepdims: intAttribute(0) });
  };
  const byInputs = types.map((type, i) => {
    const result = results[variables.indexOf(feeds[i] as Value)];
    return result ? (type.kind === 'sequence' ? result : total(result)) : null;
  });
  return [...byInputs, ...c.captures.map((_, k) => total(results[variables.length + k] as Value))];
}

const held: BackwardRule = (c) => [upstreamOf(c)];

/** Gradients of operators that make, change and read sequences; they are sequences themselves. */
export const sequences: BackwardRules = {
  ConcatFromSequence: concatenated,
  Optional: held,
  OptionalGetElement: held,
  SequenceAt: at,
  SequenceConstruct: (c) => c.node.inputs.map((_, i) => emitOne(c, 'SequenceAt', [upstreamOf(c), scalarOf(c, i)])),
  SequenceErase: erase,
  SequenceInsert: insert,
  SequenceMap: map,
  SplitToSequence: split,
};
