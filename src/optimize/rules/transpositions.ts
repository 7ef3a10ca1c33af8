import { intAttribute, intOf, intsAttribute, intsOf } from '../../graph/attributes.js';
import { stridesOf } from '../../graph/dims.js';
import type { Attribute, Node, Value } from '../../graph/graph.js';
import { isElementwise } from '../../primitives/elementwise.js';
import { operatorOf, operatorsWith } from '../../schema/registry.js';
import { evaluateStrided } from '../../tensor/strided.js';
import { integers, type TensorValue } from '../../tensor/tensor-value.js';
import type { GraphEditor } from '../editor.js';
import type { Builder, Proposal, Rule } from '../rule.js';

type Perm = readonly number[];

const inverse = (perm: Perm): number[] => perm.map((_, axis) => perm.indexOf(axis));

interface Transposed {
  readonly source: Value;
  readonly perm: Perm;
}

/** What `value` is a transposition of. */
function transposed(editor: GraphEditor, value: Value | null): Transposed | undefined {
  const node = value && editor.producerOf(value);
  if (node?.op !== 'Transpose' || node.domain !== '') return undefined;
  const perm = intsOf(node.attributes, 'perm');
  return perm && { source: node.inputs[0] as Value, perm };
}

/** Gives `values` back in the order that their consumers know. */
const transposeBack = (build: Builder, values: readonly Value[], perm: Perm): Value[] =>
  values.flatMap((value) => build.emit('Transpose', [value], { perm: intsAttribute(perm) }));

const typeOf = (editor: GraphEditor, value: Value) => {
  const type = editor.facts.get(value)?.type;
  return type?.kind === 'tensor' ? type : undefined;
};

/** Two transpositions are one, or none. */
const joined: Rule = {
  name: 'transposition of a transposition',
  roots: ['Transpose'],
  propose(node, editor, build) {
    const inner = transposed(editor, node.inputs[0] ?? null);
    const outer = intsOf(node.attributes, 'perm');
    if (!inner || !outer) return undefined;
    const perm = outer.map((axis) => inner.perm[axis] as number);
    const nothing = perm.every((axis, i) => axis === i);
    return {
      replaces: nothing ? [inner.source] : build.emit('Transpose', [inner.source], { perm: intsAttribute(perm) }),
      covers: [node],
    };
  },
};

/** Whether another node reads `value` transposed by `perm` already: a second such transposition costs nothing, as it becomes the first. */
const isReadAs = (editor: GraphEditor, value: Value, perm: Perm): boolean =>
  [...editor.readersOf(value)].some((reader) => {
    const read = reader.outputs[0] && transposed(editor, reader.outputs[0]);
    return read?.source === value && String(read.perm) === String(perm);
  });

/** An operand of an elementwise operator as it stands before a transposition by `perm`; undefined if it cannot. */
function operandBefore(editor: GraphEditor, build: Builder, value: Value, perm: Perm): Value | undefined {
  const known = transposed(editor, value);
  if (known && String(known.perm) === String(perm)) return known.source;
  const order = inverse(perm);
  if (isReadAs(editor, value, order)) return build.emit('Transpose', [value], { perm: intsAttribute(order) })[0];
  const dims = typeOf(editor, value)?.dims;
  if (!dims || dims.length > perm.length) return undefined;
  if (dims.every((d) => d === 1)) return dims.length === 0 || dims.length === perm.length ? value : undefined;
  const contents = editor.facts.get(value)?.contents;
  return contents && build.constant(permuteBack(contents, perm));
}

/** The constant, seen with as many axes as `perm` has, in the order before the transposition. */
function permuteBack(constant: TensorValue, perm: Perm): TensorValue {
  const dims = [...Array<number>(perm.length - constant.dims.length).fill(1), ...constant.dims];
  const strides = stridesOf(dims);
  const order = inverse(perm);
  return evaluateStrided(
    constant,
    order.map((axis) => dims[axis] as number),
    order.map((axis) => strides[axis] as number),
    0,
  );
}

function rankOfResult(editor: GraphEditor, node: Node): number | undefined {
  return node.outputs[0] ? typeOf(editor, node.outputs[0])?.dims?.length : undefined;
}

/** An elementwise operator may as well run before the transposition of its operands. */
const belowElementwise = (): Rule => ({
  name: 'transposition below an elementwise operator',
  roots: operatorsWith(isElementwise),
  propose(node, editor, build): Proposal {
    const first = node.inputs.map((value) => transposed(editor, value)).find((t) => t !== undefined);
    if (!first || rankOfResult(editor, node) !== first.perm.length) return undefined;
    const inputs = node.inputs.map((value) => (value ? operandBefore(editor, build, value, first.perm) : null));
    if (inputs.includes(undefined)) return { refused: 'another operand is not transposed alike' };
    const results = build.repeat(node, inputs as (Value | null)[]);
    return { replaces: transposeBack(build, results, first.perm), covers: [node] };
  },
});

const axisOf = (axis: number, rank: number) => (axis < 0 ? axis + rank : axis);

/** Concatenation along an axis that the transposition moves. */
const belowConcat: Rule = {
  name: 'transposition below a concatenation',
  roots: ['Concat'],
  propose(node, editor, build) {
    const parts = node.inputs.map((value) => transposed(editor, value));
    const perm = parts[0]?.perm;
    if (!perm || parts.some((part) => String(part?.perm) !== String(perm))) return undefined;
    const axis = axisOf(intOf(node.attributes, 'axis', 1), perm.length);
    const results = build.emit(
      'Concat',
      parts.map((part) => part?.source as Value),
      { axis: intAttribute(perm[axis] as number) },
    );
    return { replaces: transposeBack(build, results, perm), covers: [node] };
  },
};

const REDUCTIONS = ['Mean', 'Sum', 'Max', 'Min', 'Prod', 'L1', 'L2', 'LogSum', 'LogSumExp', 'SumSquare'].map(
  (kind) => `Reduce${kind}`,
);

/** Axes of a reduction, given as attribute or as constant input; undefined: all, or not known. */
function reducedAxes(node: Node, editor: GraphEditor): readonly number[] | undefined {
  const contents = node.inputs[1] && editor.facts.get(node.inputs[1])?.contents;
  return intsOf(node.attributes, 'axes') ?? (contents ? integers(contents) : undefined);
}

/** A reduction along axes that the transposition moves. */
const belowReduction: Rule = {
  name: 'transposition below a reduction',
  roots: REDUCTIONS,
  propose(node, editor, build) {
    const input = transposed(editor, node.inputs[0] ?? null);
    const axes = reducedAxes(node, editor);
    if (!input || !axes?.length) return undefined;
    const rank = input.perm.length;
    const moved = axes.map((axis) => input.perm[axisOf(axis, rank)] as number);
    const keeps = intOf(node.attributes, 'keepdims', 1) === 1;
    const results = emitReduction(node, build, input.source, moved);
    if (keeps) return { replaces: transposeBack(build, results, input.perm), covers: [node] };
    const left = input.perm.filter((axis) => !moved.includes(axis));
    const order = [...left].sort((a, b) => a - b);
    return {
      replaces: transposeBack(
        build,
        results,
        left.map((axis) => order.indexOf(axis)),
      ),
      covers: [node],
    };
  },
};

function emitReduction(node: Node, build: Builder, source: Value, axes: readonly number[]): Value[] {
  const attributes: Record<string, Attribute> = { keepdims: intAttribute(intOf(node.attributes, 'keepdims', 1)) };
  const input = build.constant({ type: 'int64', dims: [axes.length], data: BigInt64Array.from(axes, BigInt) });
  return build.emit(node.op, [source, input], attributes);
}

/** Softmax along an axis that the transposition moves. */
const belowSoftmax: Rule = {
  name: 'transposition below a softmax',
  roots: ['Softmax', 'LogSoftmax'],
  propose(node, editor, build) {
    const input = transposed(editor, node.inputs[0] ?? null);
    if (!input || operatorOf(node).since < 13) return undefined;
    const axis = axisOf(intOf(node.attributes, 'axis', -1), input.perm.length);
    const results = build.emit(node.op, [input.source], { axis: intAttribute(input.perm[axis] as number) });
    return { replaces: transposeBack(build, results, input.perm), covers: [node] };
  },
};

/** Padding along axes that the transposition moves. */
const belowPad: Rule = {
  name: 'transposition below padding',
  roots: ['Pad'],
  propose(node, editor, build) {
    const input = transposed(editor, node.inputs[0] ?? null);
    const pads = node.inputs[1] && editor.facts.get(node.inputs[1])?.contents;
    if (!input || !pads || node.inputs[3]) return undefined;
    const given = integers(pads);
    const rank = input.perm.length;
    const order = inverse(input.perm);
    const moved = [...order.map((axis) => given[axis] as number), ...order.map((axis) => given[axis + rank] as number)];
    const constant = build.constant({ type: 'int64', dims: [2 * rank], data: BigInt64Array.from(moved, BigInt) });
    const results = build.emit('Pad', [input.source, constant, node.inputs[2] ?? null], node.attributes);
    return { replaces: transposeBack(build, results, input.perm), covers: [node] };
  },
};

/** Transpositions move towards the outputs, meet and cancel: what was in channels-last order stays in it. */
export const transpositions = (): readonly Rule[] => [
  joined,
  belowElementwise(),
  belowConcat,
  belowReduction,
  belowSoftmax,
  belowPad,
];
