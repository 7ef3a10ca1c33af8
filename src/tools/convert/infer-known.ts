import { SardonyxError } from '../../base/errors.js';
import { type Fact, Facts } from '../../graph/facts.js';
import type { FunctionDefinition, Graph, Node, Model as RuntimeModel, Value } from '../../graph/graph.js';
import { ofAnyShape, tensorType, type ValueType } from '../../graph/types.js';
import { functionKey, subgraphs } from '../../graph/walk.js';
import { loadOperators } from '../../groups/load-operators.js';
import { bindOpsets } from '../../model/bind-opsets.js';
import type { Model } from '../../model/document/model.js';
import type { ExternalData } from '../../model/external-data.js';
import { type DecodedModel, modelOf } from '../../model/read-model.js';
import { runtimeView } from '../runtime-view.js';
import { callOf } from './calls.js';
import { inferNode } from './infer-node.js';
import { type Known, type KnownModel, keyOf, met, withoutPrefix } from './known.js';

interface Walk {
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly known: Map<string, Known>;
  /** The remaining number of calls to analyze. */
  calls: number;
}

const MAX_CALLS = 4096;

/** Infers types and constant contents as the runtime does. Throws if the model cannot be read. */
export async function knownOf(model: Model): Promise<KnownModel> {
  const { graph, functions, irVersion } = await opened(model);
  const facts = new Facts();
  for (const input of graph.inputs)
    if (input.type && (irVersion >= 4 || !input.constant)) facts.set(input, { type: input.type });
  const byName = new Map(functions.map((f) => [functionKey(f.domain, f.name, f.overload), f]));
  const walk: Walk = { functions: byName, known: new Map(), calls: MAX_CALLS };
  return { graph: knownIn(graph, facts, walk), functions: walk.known };
}

/** Reads the model without inlining its functions. */
async function opened(document: Model): Promise<RuntimeModel> {
  const { proto, externalData } = await runtimeView(document);
  if (!proto.graph) throw new SardonyxError('INVALID_MODEL', 'the model has no graph');
  const model = modelOf(proto as DecodedModel, atHand(externalData));
  await loadOperators(model);
  bindOpsets(model.graph, model.opsets);
  for (const { graph, opsets } of model.functions) bindOpsets(graph, new Map([...model.opsets, ...opsets]));
  return model;
}

/** Defers the error of a missing file until its contents are read. */
const atHand =
  (externalData: ExternalData): ExternalData =>
  (...place) => {
    try {
      return externalData(...place);
    } catch (thrown) {
      return () => {
        throw thrown;
      };
    }
  };

/** Infers facts about a graph. `facts` has those of its inputs. */
function knownIn(graph: Graph, facts: Facts, walk: Walk): Known {
  const found = new Map<string, Fact>();
  const inner = new Map<string, Known>();
  const note = (value: Value | null) => {
    const fact = value && facts.get(value);
    if (fact) found.set(value.name, fact);
  };
  for (const node of graph.nodes) {
    infer(node, facts, walk);
    for (const value of [...node.inputs, ...node.outputs]) note(value);
    const names = node.outputs.map((value) => value?.name ?? '');
    for (const [name, subgraph] of subgraphs(node))
      inner.set(keyOf(names, name), knownIn(subgraph, withInputs(node, subgraph, facts), walk));
  }
  for (const value of [...graph.inputs, ...graph.outputs]) note(value);
  return { facts: found, inner };
}

/** Infers the outputs of a node. If inference fails or is impossible, the declared types apply. */
function infer(node: Node, facts: Facts, walk: Walk): void {
  const definition = walk.functions.get(functionKey(node.domain, node.op, node.overload));
  try {
    if (definition) inferCall(node, definition, facts, walk);
    else inferNode(node, facts);
  } catch (thrown) {
    if (!(thrown instanceof SardonyxError)) throw thrown;
  }
  for (const value of node.outputs) if (value?.type && !facts.has(value)) facts.set(value, { type: value.type });
}

/** Infers the outputs of a function call from its body and the operands of this call. */
function inferCall(call: Node, definition: FunctionDefinition, outer: Facts, walk: Walk): void {
  if (walk.calls-- <= 0) return;
  const { graph, given } = callOf(call, definition);
  const facts = new Facts();
  for (const [value, operand] of given) {
    const fact = outer.get(operand);
    if (fact) facts.set(value, fact);
  }
  const known = withoutPrefix(knownIn(graph, facts, walk));
  const key = functionKey(definition.domain, definition.name, definition.overload);
  const before = walk.known.get(key);
  walk.known.set(key, before ? met(before, known) : known);
  for (const [i, value] of call.outputs.entries()) {
    const inner = graph.outputs[i];
    const fact = inner && facts.get(inner);
    if (value && fact) outer.set(value, fact);
  }
}

/** The position of the operand that the body's first input receives. */
const OPERANDS: Readonly<Record<string, (opset: number) => number>> = {
  Loop: () => 0,
  Scan: (opset) => (opset < 9 ? 1 : 0),
  SequenceMap: () => 0,
};

const COUNTERS: readonly ValueType[] = [tensorType('int64', []), tensorType('bool', [])];

function withInputs(node: Node, body: Graph, outer: Facts): Facts {
  const facts = outer.fork();
  const first = OPERANDS[node.op]?.(node.opset ?? Number.POSITIVE_INFINITY);
  for (const [i, value] of body.inputs.entries()) {
    const operand = first === undefined ? undefined : node.inputs[i + first];
    const given = operand && (outer.get(operand)?.type ?? null);
    const own = value.type ?? (node.op === 'Loop' ? COUNTERS[i] : undefined);
    const type = declaredOr(own, given && passed(node, i, given));
    if (type) facts.set(value, { type });
  }
  return facts;
}

/** The declared type of a body's input, or the operand's type if the declaration has no shape. */
function declaredOr(declared: ValueType | null | undefined, given: ValueType | null | undefined) {
  const isOpen = declared?.kind === 'tensor' && !declared.dims && given?.kind === 'tensor';
  return isOpen && given.element === declared.element ? given : (declared ?? given);
}

/** The type that a node passes to its body for an operand. */
function passed(node: Node, i: number, given: ValueType): ValueType | null {
  if (node.op === 'Scan' && (node.opset ?? 9) >= 9) return scanned(node, i, given);
  const open = ofAnyShape(given);
  return node.op === 'SequenceMap' && open?.kind === 'sequence' ? open.of : open;
}

/** The types that Scan passes to its body: state variables keep their shape, and scan inputs lose the scan axis. */
function scanned({ inputs, attributes }: Node, i: number, given: ValueType): ValueType {
  const { num_scan_inputs: count, scan_input_axes: axes } = attributes;
  const place = i - inputs.length + (count?.type === 'int' ? count.value : 0);
  if (place < 0 || given.kind !== 'tensor' || !given.dims) return given;
  const axis = (axes?.type === 'ints' && axes.value[place]) || 0;
  const { dims } = given;
  return { ...given, dims: dims.filter((_, at) => at !== (axis < 0 ? axis + dims.length : axis)) };
}
