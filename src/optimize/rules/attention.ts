import { floatAttribute, intOf, intsAttribute, intsOf } from '../../graph/attributes.js';
import type { Node, Value } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import { operatorOf } from '../../schema/registry.js';
import type { GraphEditor } from '../editor.js';
import { any, either, type Match, op, type Pattern, scalar } from '../pattern.js';
import { type Rule, rule } from '../rule.js';

/** A value multiplied or divided by a number, or as it is. `shared`: below a node that stays. */
const scaled = (pattern: Pattern, factor: string, shared = false): Pattern =>
  either(
    op('Mul', [pattern, scalar(`${factor} times`)], { shared }),
    op('Div', [pattern, scalar(`${factor} over`)], { shared }),
    pattern,
  );

const factorOf = (m: Match, name: string) =>
  m.values.has(`${name} times`)
    ? m.number(`${name} times`)
    : m.values.has(`${name} over`)
      ? 1 / m.number(`${name} over`)
      : 1;

const keys = scaled(op('Transpose', [scaled(any('k'), 'k', true)], { as: 'transposed', shared: true }), 'kt');
const scores = scaled(op('MatMul', [scaled(any('q'), 'q'), keys]), 'score');

const dimsOf = (editor: GraphEditor, value: Value | null | undefined) => {
  const type = value && editor.facts.get(value)?.type;
  return type?.kind === 'tensor' ? type.dims : undefined;
};

const rankOf = (editor: GraphEditor, value: Value | null | undefined) => dimsOf(editor, value)?.length;

const isLastAxis = (match: Match, node: Node) => {
  const axis = intOf(node.attributes, 'axis', operatorOf(node).since < 13 ? 1 : -1);
  return axis === -1 || axis + 1 === rankOf(match.editor, node.inputs[0]);
};

const softmax = (input: Pattern) => op('Softmax', [input], { where: (_, match, node) => isLastAxis(match, node) });

/** The permutation that views the rows of K, from the one that views its columns as rows. */
function untransposed(perm: readonly number[]): number[] {
  return [...perm.slice(0, -2), perm.at(-1) as number, perm.at(-2) as number];
}

/** Whether the mask may broadcast the scores, [batch…, rows of Q, rows of K], to a larger shape. */
function spreads(m: Match, mask: Value, kPerm: readonly number[]): boolean {
  const [q, k, own] = [m.value('q'), m.value('k'), mask].map((value) => dimsOf(m.editor, value));
  if (!q || !k || !own || own.length > q.length) return true;
  const [rows, columns] = [q.at(-2), k[kPerm.at(-2) as number]];
  const wider = (d: Size | undefined, size: Size | undefined) =>
    d !== undefined && d !== 1 && d !== size && (typeof d === 'number' || size === 1);
  return wider(own.at(-2), rows) || wider(own.at(-1), columns);
}

function fused(masked: boolean): Rule {
  return rule({
    name: `attention from its parts${masked ? ', with mask' : ''}`,
    root: 'MatMul',
    inputs: [softmax(masked ? op('Add', [scores, any('mask')]) : scores), any('v')],
    guard(m) {
      const perm = intsOf(m.node('transposed').attributes, 'perm');
      const rank = rankOf(m.editor, m.value('q'));
      if (rank !== 3 && rank !== 4) return 'rank is not 3 or 4';
      if (!perm || perm.length !== rank || rankOf(m.editor, m.value('v')) !== rank) return 'ranks differ';
      if (perm.at(-2) !== rank - 1) return 'the keys are not contiguous';
      return masked && spreads(m, m.value('mask'), untransposed(perm)) ? 'the mask spreads the scores' : undefined;
    },
    build(m, b) {
      const scale = ['q', 'k', 'kt', 'score'].reduce((product, name) => product * factorOf(m, name), 1);
      const kPerm = untransposed(intsOf(m.node('transposed').attributes, 'perm') as readonly number[]);
      const inputs = [m.value('q'), m.value('k'), m.value('v'), ...(masked ? [m.value('mask')] : [])];
      return b.emit('sardonyx:Attention', inputs, { scale: floatAttribute(scale), k_perm: intsAttribute(kPerm) });
    },
  });
}

/** Permutation `outer` after permutation `inner`. */
const compose = (inner: readonly number[], outer: readonly number[]) => outer.map((axis) => inner[axis] as number);

const keepsLast = (perm: readonly number[] | undefined) => perm?.at(-1) === (perm?.length ?? 0) - 1;

/** Reads Q, K or V through a transposition that keeps their rows contiguous. */
const readTransposed = (input: 0 | 1 | 2, attribute: 'q_perm' | 'k_perm' | 'v_perm'): Rule => ({
  name: `transposition into attention's ${attribute[0]}`,
  roots: ['sardonyx:Attention'],
  propose(node, editor, build) {
    const value = node.inputs[input] as Value;
    const producer = editor.producerOf(value);
    const perm = producer?.op === 'Transpose' ? intsOf(producer.attributes, 'perm') : undefined;
    if (!producer || !perm || !keepsLast(perm)) return undefined;
    const own = intsOf(node.attributes, attribute) ?? perm.map((_, i) => i);
    const inputs = node.inputs.map((v, i) => (i === input ? (producer.inputs[0] as Value) : v));
    const attributes = { ...node.attributes, [attribute]: intsAttribute(compose(perm, own)) };
    return { replaces: build.emit('sardonyx:Attention', inputs, attributes), covers: [node] };
  },
});

/** Writes the result in transposed order directly. */
const writeTransposed: Rule = {
  name: "transposition of attention's result",
  roots: ['Transpose'],
  propose(root, editor, build) {
    const node = editor.producerOf(root.inputs[0] as Value);
    const perm = intsOf(root.attributes, 'perm');
    if (node?.domain !== 'sardonyx' || node.op !== 'Attention' || !perm) return undefined;
    if (!keepsLast(perm)) return { refused: 'its rows would not be contiguous' };
    const own = intsOf(node.attributes, 'y_perm') ?? perm.map((_, i) => i);
    const attributes = { ...node.attributes, y_perm: intsAttribute(compose(own, perm)) };
    return { replaces: build.emit('sardonyx:Attention', node.inputs, attributes), covers: [root, node] };
  },
};

/** Recognizes attention, and turns the transpositions around it into strides. */
export const attention: readonly Rule[] = [
  fused(true),
  fused(false),
  readTransposed(0, 'q_perm'),
  readTransposed(1, 'k_perm'),
  readTransposed(2, 'v_perm'),
  writeTransposed,
];
