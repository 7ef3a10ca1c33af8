import type { NodeView } from '../../analysis/node-view.js';
import { intsAttribute, intsOf } from '../../graph/attributes.js';
import { stridesOf } from '../../graph/dims.js';
import type { Node, Value } from '../../graph/graph.js';
import { inverse } from '../../primitives/transpose.js';
import type { AnyOperator, Use } from '../../schema/definition.js';
import { operatorsWith } from '../../schema/registry.js';
import { evaluateStrided } from '../../tensor/strided.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import type { GraphEditor } from '../editor.js';
import type { Builder, Proposal, Rule } from '../rule.js';

type Perm = readonly number[];

interface Transposed {
  readonly source: Value;
  readonly perm: Perm;
}

/** The source and permutation of a value that is a transposition. */
function transposed(editor: GraphEditor, value: Value | null): Transposed | undefined {
  const node = value && editor.producerOf(value);
  if (node?.op !== 'Transpose' || node.domain !== '') return undefined;
  const perm = intsOf(node.attributes, 'perm');
  return perm && { source: node.inputs[0] as Value, perm };
}

/** Transposes `values` to the order that their readers expect. */
const transposeBack = (build: Builder, values: readonly Value[], perm: Perm): Value[] =>
  values.flatMap((value) => build.emit('Transpose', [value], { perm: intsAttribute(perm) }));

const typeOf = (editor: GraphEditor, value: Value) => {
  const type = editor.facts.get(value)?.type;
  return type?.kind === 'tensor' ? type : undefined;
};

/** Merges two transpositions into one, or none. */
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

/** Whether another node already reads `value` transposed by `perm`. A second such transposition costs nothing, because both become one. */
const isReadAs = (editor: GraphEditor, value: Value, perm: Perm): boolean =>
  [...editor.readersOf(value)].some((reader) => {
    const read = reader.outputs[0] && transposed(editor, reader.outputs[0]);
    return read?.source === value && String(read.perm) === String(perm);
  });

/** An operand of an elementwise operator as it is before a transposition by `perm`, or undefined. */
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

/** The constant, expanded to the rank of `perm`, in the order before the transposition. */
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

const isElementwise = ({ computes }: AnyOperator): boolean => computes?.primitive.facts.isElementwise === true;
const isAlongAxes = ({ computes }: AnyOperator): boolean => computes?.restate !== undefined;

/** Moves the transpositions of an elementwise operator's operands after it. */
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

/** Moves the transpositions of all operands of an operator along axes after it. */
const belowAxes = (): Rule => ({
  name: 'transposition below an operator along axes',
  roots: operatorsWith(isAlongAxes),
  propose(node, editor, build) {
    const view = editor.viewOf(node);
    const { computes, planned } = view.operator;
    const sources = node.inputs.map((value, i) => (planned.includes(i) ? undefined : transposed(editor, value)));
    const perm = sources[0]?.perm;
    if (!computes || !perm || !sources.every((s, i) => planned.includes(i) || String(s?.perm) === String(perm)))
      return undefined;
    const before = reordered(view, computes, perm);
    const restated = before && computes.restate?.(view, before.parameters);
    if (!restated) return undefined;
    const inputs = node.inputs.map((value, i) => sources[i]?.source ?? value);
    for (const [i, contents] of Object.entries(restated.contents ?? {})) inputs[Number(i)] = build.constant(contents);
    const results = build.emit(node.domain ? `${node.domain}:${node.op}` : node.op, inputs, restated.attributes);
    return { replaces: transposeBack(build, results, before.perm), covers: [node] };
  },
});

function reordered<P>(view: NodeView, { primitive, parameters }: Use<Record<string, unknown>, P>, perm: Perm) {
  const after = parameters(view);
  return after && primitive.facts.beforeTransposition?.(after, perm);
}

/** Transpositions move towards the outputs, meet and cancel, so that channels-last values stay so. */
export const transpositions = (): readonly Rule[] => [joined, belowElementwise(), belowAxes()];
