import { account } from '../../../account.js';
import { decompose } from '../../../analysis/decompose.js';
import { factOf, fold } from '../../../analysis/fold.js';
import { NodeView } from '../../../analysis/node-view.js';
import { operandsOf } from '../../../graph/captures.js';
import type { Facts } from '../../../graph/facts.js';
import type { Node, Value } from '../../../graph/graph.js';
import type { ValueType } from '../../../graph/types.js';
import { showNodes } from '../../../graph/watch-graphs.js';
import { isTensorValue } from '../../../tensor/tensor-value.js';
import { loweringOf } from '../lowerings.js';

/** The outcome for one node, given the facts about its operands. */
export type Outcome =
  /** Facts of its outputs say all. */
  | { readonly kind: 'folded' }
  /** Other nodes take its place: a branch, or its decomposition. */
  | { readonly kind: 'parts'; readonly nodes: readonly Node[] }
  /** It runs; the results named `dynamic` have a type only then. */
  | { readonly kind: 'runnable'; readonly dynamic: readonly Value[] }
  /** It waits for operands that nothing is known of, or for the contents of `missing`. */
  | { readonly kind: 'deferred'; readonly missing: readonly Value[]; readonly canEvaluate: boolean };

/** A node, and what became of it. */
export interface Finding {
  readonly node: Node;
  readonly operands: readonly Value[];
  readonly outcome: Outcome;
  /** The inputs whose contents its operator has asked for, as bits. */
  readonly looked: number;
}

/** The nodes of a graph seen under concrete input shapes. */
export interface Specialized {
  readonly findings: readonly Finding[];
  /** Nodes whose shapes are known, in order, as primitive operators. */
  readonly runnable: readonly Node[];
  /** Nodes that wait for data. */
  readonly deferred: readonly Node[];
  /** Values whose contents the deferred nodes need before they can be planned. */
  readonly observed: readonly Value[];
  /** Results whose shape is known only when they are computed. */
  readonly dynamic: readonly Value[];
  /** Whether a node that waits for contents could run on the host instead. */
  readonly canEvaluate: boolean;
}

/** Results up to this many elements are computed while planning when their inputs are known; kernels are faster beyond. */
const MAX_FOLDED = 1 << 10;

/** Tensors up to this many elements in all are handed to the host rather than planned for again and again. */
const MAX_EVALUATED = 1 << 14;

/** How nodes whose plan depends on contents are served: those that the host can run need not wait for them. */
export interface Evaluating {
  /** Whether they run on the host. */
  readonly now: boolean;
  /** Values that are on the host already, whatever their size. */
  readonly held: ReadonlySet<Value>;
}

const CONTENTS: Evaluating = { now: false, held: new Set() };

/** Infers shapes, computes what depends on nothing but shapes and constants, and chooses the branches of If. */
export function specialize(nodes: readonly Node[], facts: Facts, evaluating: Evaluating = CONTENTS): Specialized {
  const findings: Finding[] = [];
  const queue = [...nodes].reverse();
  for (let node = queue.pop(); node; node = queue.pop()) {
    const operands = operandsOf(node);
    const view = new NodeView(node, facts);
    const outcome = outcomeOf(view, operands, evaluating);
    findings.push({ node, operands, outcome, looked: view.looked });
    if (outcome.kind === 'parts') for (const part of outcome.nodes.toReversed()) queue.push(part);
  }
  const specialized = summaryOf(findings);
  showNodes([...specialized.runnable, ...specialized.deferred]);
  return specialized;
}

function summaryOf(findings: readonly Finding[]): Specialized {
  const runnable: Node[] = [];
  const deferred: Node[] = [];
  const observed = new Set<Value>();
  const dynamic: Value[] = [];
  let canEvaluate = false;
  for (const { node, outcome } of findings) {
    if (outcome.kind === 'runnable') {
      runnable.push(node);
      dynamic.push(...outcome.dynamic);
    } else if (outcome.kind === 'deferred') {
      deferred.push(node);
      canEvaluate ||= outcome.canEvaluate;
      for (const value of outcome.missing) observed.add(value);
    }
  }
  return { findings, runnable, deferred, observed: [...observed], dynamic, canEvaluate };
}

/** The outcome for a node; records facts about its outputs. `isChecked`: its operands' types have already been checked. */
export function outcomeOf(
  view: NodeView,
  operands: readonly Value[],
  evaluating: Evaluating,
  isChecked = false,
): Outcome {
  account()?.look();
  const { node, operator, facts } = view;
  for (const value of operands) if (!facts.has(value)) return { kind: 'deferred', missing: [], canEvaluate: false };
  if (!isChecked) view.check();
  const missing = operator.planned.filter((i) => view.given(i) && !view.hasContents(i)).map((i) => view.operand(i));
  if (missing.length > 0) {
    const canEvaluate = isEvaluable(view, evaluating.held);
    return canEvaluate && evaluating.now
      ? { kind: 'runnable', dynamic: node.outputs.filter((value) => value !== null) }
      : { kind: 'deferred', missing, canEvaluate };
  }
  if (operator.becomes) return { kind: 'parts', nodes: operator.becomes(view) };
  if (foldNode(view)) return { kind: 'folded' };
  const nodes = decompose(view);
  return nodes ? { kind: 'parts', nodes } : { kind: 'runnable', dynamic: inferOutputs(view) };
}
function isEvaluable(view: NodeView, held: ReadonlySet<Value>): boolean {
  if (!view.operator.evaluate) return false;
  const sizes = view.node.inputs.map((value) => {
    const type = value && !held.has(value) ? view.facts.get(value)?.type : undefined;
    return type ? elementBound(type) : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0) <= MAX_EVALUATED;
}

/** Whether known contents of a node's results follow from shapes. */
const isOfSizes = ({ node, facts }: NodeView): boolean =>
  node.inputs.some((value) => {
    const fact = value && facts.get(value);
    return fact && (fact.isOfSizes || !fact.contents);
  });

/**
 * Whether kernels compute results of rank 2 and above, such as masks, although they follow from shapes: if sizes are new in
 * each run, computing them here takes longer.
 */
function isLeftToKernels(view: NodeView): boolean {
  if (!loweringOf(view.operator) || !view.node.inputs.every((value, i) => !value || view.hasContents(i))) return false;
  return view.outputTypes().every((type) => type?.kind === 'tensor' && (type.dims?.length ?? 0) > 1);
}

/** Computes the node now if its inputs are known and small, and so is the result, or no kernel could compute it. */
export function foldNode(view: NodeView, known?: readonly (ValueType | null)[]): boolean {
  const { node, operator, facts } = view;
  const ofSizes = isOfSizes(view);
  if (ofSizes && isLeftToKernels(view)) return false;
  // Rows of a table of weights are read where they lie.
  const mostOf = (elements: number) => (elements <= MAX_EVALUATED ? MAX_FOLDED : 0);
  const results = fold(view, (elements) => (loweringOf(operator) ? mostOf(elements) : Number.POSITIVE_INFINITY), known);
  node.outputs.forEach((value, i) => {
    const contents = results?.[i];
    if (!value || !isTensorValue(contents)) return;
    account()?.holdValue(contents);
    facts.set(value, { ...factOf(contents), isOfSizes: ofSizes });
  });
  return results !== undefined;
}

const elementBound = (type: ValueType) =>
  type.kind === 'tensor' ? (type.dims ?? []).reduce<number>((n, d) => n * (typeof d === 'number' ? d : 1), 1) : 0;

/** Records the types of the outputs; returns those whose shape is not known yet. */
function inferOutputs(view: NodeView): Value[] {
  const types = view.outputTypes();
  return view.node.outputs.filter((value, i): value is Value => {
    const type = types[i];
    if (!value) return false;
    if (type && isConcrete(type)) {
      view.facts.set(value, { type });
      return false;
    }
    return true;
  });
}

const isConcrete = (type: ValueType) =>
  type.kind !== 'tensor' || (type.dims?.every((d) => typeof d === 'number') ?? false);
