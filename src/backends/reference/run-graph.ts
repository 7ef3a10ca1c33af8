import { decompose } from '../../analysis/decompose.js';
import { evaluateOnHost, iterateOnHost } from '../../analysis/evaluate.js';
import { NodeView } from '../../analysis/node-view.js';
import { onBehalfOf, SardonyxError } from '../../base/errors.js';
import { operandsOf } from '../../graph/captures.js';
import { Facts } from '../../graph/facts.js';
import type { Graph, Node, Value } from '../../graph/graph.js';
import { neededFor } from '../../graph/needed.js';
import type { ValueType } from '../../graph/types.js';
import { type HostValue, isTensorValue } from '../../tensor/tensor-value.js';
import type { StepTimer } from '../step-timer.js';
import { Frame } from './frame.js';
import { declaredElement, narrowed, widenedElement } from './precision.js';

/** A run that pauses after each node. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs a graph in double precision. `inputs` are narrow or wide; undefined selects an input's default. */
export function* runGraph(
  graph: Graph,
  inputs: readonly (HostValue | undefined)[],
  outer: Frame | null,
  timer: StepTimer | null,
): Steps<HostValue[]> {
  const frame = new Frame(outer);
  graph.inputs.forEach((value, i) => {
    const input = inputs[i];
    if (input !== undefined) frame.set(value, input, value.type);
  });
  yield* runNodes(neededFor(graph.nodes, graph.outputs), graph.outputs, frame, timer);
  return graph.outputs.map((value) => frame.get(value));
}

function* runNodes(
  nodes: readonly Node[],
  kept: readonly (Value | null)[],
  frame: Frame,
  timer: StepTimer | null,
): Steps<void> {
  const lastUse = new Map<Value, Node>();
  for (const node of nodes) for (const value of operandsOf(node)) lastUse.set(value, node);
  for (const value of kept) if (value) lastUse.delete(value);
  for (const node of nodes) {
    const started = timer?.start() ?? 0;
    // Includes the time of subgraphs and parts.
    yield* runNode(node, frame, null);
    timer?.stop(started, { node, provider: 'reference', kernel: 'host', facts: typesNow(node, frame) });
    for (const value of operandsOf(node)) if (lastUse.get(value) === node) frame.drop(value);
    yield;
  }
}

/** The types of a node's inputs and outputs, copied so that the frame need not be kept. */
function typesNow({ inputs, outputs }: Node, { declared }: Frame): () => Facts {
  const facts = new Facts();
  for (const value of [...inputs, ...outputs]) {
    const type = value && declared.get(value)?.type;
    if (value && type) facts.set(value, { type });
  }
  return () => facts;
}

const isBranch = ({ domain, op }: Node) => domain === '' && op === 'If';

function* runNode(node: Node, frame: Frame, timer: StepTimer | null): Steps<void> {
  for (const value of operandsOf(node)) frame.get(value);
  const view = new NodeView(node, frame.declared);
  view.check();
  // For If, only the branch that is taken has to fit its operands.
  const types = isBranch(node) ? [] : view.outputTypes();
  const results = yield* resultsOf(view, types, frame, timer);
  node.outputs.forEach((value, i) => {
    if (value) frame.set(value, results[i] as HostValue, types[i]);
  });
}

function* resultsOf(
  view: NodeView,
  types: readonly (ValueType | null)[],
  frame: Frame,
  timer: StepTimer | null,
): Steps<readonly HostValue[]> {
  const { node, operator } = view;
  if (isBranch(node)) return yield* runBranch(view, frame, timer);
  if (operator.iterate) return yield* iterate(node, frame, timer);
  if (operator.evaluate) return evaluate(view, types, frame);
  return yield* runParts(view, frame, timer);
}

function* runBranch({ node, attributes }: NodeView, frame: Frame, timer: StepTimer | null): Steps<HostValue[]> {
  const condition = frame.get(node.inputs[0] as Value);
  const isTrue = isTensorValue(condition) && Boolean(condition.data[0]);
  return yield* runGraph(attributes[isTrue ? 'then_branch' : 'else_branch'] as Graph, [], frame, timer);
}

function* iterate(node: Node, frame: Frame, timer: StepTimer | null): Steps<HostValue[]> {
  const iteration = iterateOnHost(new NodeView(node, frame.declared), (i) => frame.get(node.inputs[i] as Value));
  for (let results: HostValue[] = []; ; ) {
    const { done, value } = onBehalfOf(node, () => iteration.next(results));
    if (done) return value;
    results = yield* runGraph(value.graph, value.inputs, frame, timer);
  }
}

/** Evaluates in double precision if the operator means the same there, otherwise in the declared types. */
function evaluate(view: NodeView, types: readonly (ValueType | null)[], frame: Frame): HostValue[] {
  const { node } = view;
  const operand = (i: number) => frame.get(node.inputs[i] as Value);
  if (!readsBits(view, types)) {
    try {
      const held = new NodeView(node, frame.held);
      if (node.domain !== 'sardonyx') held.check();
      return evaluateOnHost(held, operand, { held: widenedElement, declared: declaredElement });
    } catch (error) {
      // The operator may not accept double precision: tries the declared types, where real errors recur.
      if (!(error instanceof SardonyxError)) throw error;
    }
  }
  return evaluateOnHost(view, (i) => narrowed(operand(i)));
}

/** Whether results depend on how numbers are stored: they reinterpret bits, or convert numbers to text. */
function readsBits({ node, operator, facts }: NodeView, types: readonly (ValueType | null)[]): boolean {
  if (operator.readsBits) return true;
  const [source] = node.inputs.map((value) => value && facts.get(value)?.type);
  const [result] = types;
  if (source?.kind !== 'tensor' || result?.kind !== 'tensor') return false;
  const isOther = source.element !== result.element;
  return isOther && (result.element === 'string' || operator.computes?.primitive.facts.isView === true);
}

/** Runs the node's decomposition for operands in double precision or, if there is none, for their declared types. */
function* runParts(view: NodeView, frame: Frame, timer: StepTimer | null): Steps<HostValue[]> {
  const { node } = view;
  const inner = frame.inDoubles();
  const inDoubles = decomposedIn(inner, node);
  const parts = inDoubles ?? decompose(view) ?? view.fail('UNSUPPORTED_TYPE', 'has no definition for these types');
  const own = inDoubles ? inner : new Frame(frame);
  yield* runNodes(parts, node.outputs, own, timer);
  return node.outputs.map((value) => (value ? own.get(value) : null));
}

function decomposedIn({ held }: Frame, node: Node): readonly Node[] | undefined {
  const view = new NodeView(node, held);
  try {
    view.check();
    return decompose(view);
  } catch (error) {
    if (error instanceof SardonyxError) return undefined;
    throw error;
  }
}
