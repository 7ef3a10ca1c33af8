import {
  AttributeProto,
  GraphProto,
  NodeProto,
  type TensorProto,
  TensorShapeProto,
  TypeProto,
  ValueInfoProto,
} from '../../../build/onnx.js';
import type { Fact } from '../../graph/facts.js';
import { formatSize, hasUnnamed } from '../../graph/sizes.js';
import type { ValueType } from '../../graph/types.js';
import { functionKey } from '../../graph/walk.js';
import { readTensor } from '../../model/tensors.js';
import { domainOf } from '../schemas/domains.js';
import { schemaOf, sinceOf } from '../schemas/schemas.js';
import { cross } from './cross.js';
import { inferMade } from './infer-made.js';
import { type Known, keyOf, NOTHING } from './known.js';
import { fresh, readBy } from './names.js';
import { Blocked } from './node.js';
import type { Obstacle } from './obstacle.js';
import { EARLY, EARLY_SINCE, FORMER, LAST_FORMER } from './recipes/former.js';
import type { Surroundings } from './step.js';

/** State that the conversion of a whole model shares. */
export interface Conversion {
  readonly domain: string;
  readonly target: number;
  /** Whether inputs with default values count as constants. */
  readonly fixesDefaults: boolean;
  readonly irVersion: number;
  /** Functions of the model, by `functionKey`. */
  readonly functions: ReadonlySet<string>;
  readonly names: Set<string>;
  readonly obstacles: Obstacle[];
}

/** The location of the nodes of a graph or function. */
export interface Place {
  /** The opset of the nodes. */
  readonly source: number;
  readonly path: string;
  readonly known: Known;
  readonly outer: Scope | undefined;
}

/** Facts about the values that are visible in a graph or function. */
interface Scope {
  find(name: string): Fact | undefined;
  isDefault(name: string): boolean;
}

/** The converted nodes of a graph or function, and the initializers that recipes added. */
interface Converted {
  readonly node: NodeProto[];
  readonly initializer: readonly TensorProto[];
}

interface Body {
  readonly node: readonly NodeProto[];
  readonly outputs: readonly string[];
  /** The graph of the nodes; undefined in a function. */
  readonly graph?: GraphProto;
}

export function convertGraph(graph: GraphProto, place: Place, c: Conversion): GraphProto {
  const outputs = graph.output.map(({ name }) => name);
  const { node, initializer } = convertBody({ node: graph.node, outputs, graph }, place, c);
  const output = graph.output.map((info) => withShape(info, place.known.facts.get(info.name)?.type));
  if (node === graph.node)
    return output.every((info, i) => info === graph.output[i]) ? graph : new GraphProto({ ...graph, output });
  const [was, is] = [readBy(graph.node), readBy(node)];
  for (const name of outputs) is.add(name);
  const isLeft = ({ name }: { name: string }) => is.has(name) || !was.has(name);
  const kept = graph.initializer.filter(isLeft);
  const gone = new Set(graph.initializer.filter((tensor) => !isLeft(tensor)).map(({ name }) => name));
  const made = new Set(node.flatMap(({ output }) => output));
  const isConstant = new Set(graph.node.filter(({ opType }) => opType === 'Constant').flatMap(({ output }) => output));
  return new GraphProto({
    ...graph,
    node,
    initializer: [...kept, ...initializer],
    input: graph.input.filter(({ name }) => !gone.has(name)),
    output,
    valueInfo: graph.valueInfo.filter(({ name }) => !gone.has(name) && (made.has(name) || !isConstant.has(name))),
  });
}

/** Adds the inferred shape to a type without one, which ONNX's checker refuses. */
function withShape(info: ValueInfoProto, type: ValueType | undefined): ValueInfoProto {
  const declared = info.type?.tensorType;
  if (!declared || declared.shape || type?.kind !== 'tensor' || !type.dims) return info;
  const dim = type.dims.map(
    (size) =>
      new TensorShapeProto.Dimension(
        typeof size === 'number' ? { dimValue: size } : hasUnnamed(size) ? {} : { dimParam: formatSize(size) },
      ),
  );
  const tensorType = new TypeProto.Tensor({ ...declared, shape: new TensorShapeProto({ dim }) });
  return new ValueInfoProto({ ...info, type: new TypeProto({ ...info.type, tensorType }) });
}

/** Converts nodes to the other opset. Returns the same array if no node changes. */
export function convertBody({ node, outputs, graph }: Body, place: Place, c: Conversion): Converted {
  const initializer: TensorProto[] = [];
  const scope = scopeOf(place, graph, c);
  const around = surroundings(scope, new Set([...readBy(node), ...outputs]), graph && initializer, c);
  const converted = node.flatMap((n, i) =>
    convertNode(n, { ...place, path: `${place.path}.node[${i}]`, outer: scope }, around, c),
  );
  const isSame = converted.length === node.length && converted.every((n, i) => n === node[i]);
  return { node: isSame ? (node as NodeProto[]) : withoutUnread(node, converted, outputs), initializer };
}

/** Removes constants that no node reads any more because they became attributes. */
function withoutUnread(
  before: readonly NodeProto[],
  after: readonly NodeProto[],
  outputs: readonly string[],
): NodeProto[] {
  const [was, is] = [readBy(before), readBy(after)];
  for (const name of outputs) is.add(name);
  return after.filter(({ opType, output: [name = ''] }) => opType !== 'Constant' || is.has(name) || !was.has(name));
}

/** The scope of a graph. Initializers that are also inputs are defaults, which callers may replace. */
function scopeOf({ known, outer }: Place, graph: GraphProto | undefined, c: Conversion): Scope {
  const inputs = new Set(c.irVersion >= 4 ? graph?.input.map(({ name }) => name) : []);
  const defaults = new Map(graph?.initializer.flatMap((t) => (inputs.has(t.name) ? [[t.name, t]] : [])));
  const fixed = (name: string): Fact | undefined => {
    const fact = known.facts.get(name);
    const tensor = c.fixesDefaults && fact ? defaults.get(name) : undefined;
    return tensor && fact ? { ...fact, contents: readTensor(tensor) } : fact;
  };
  return {
    find: (name) => fixed(name) ?? outer?.find(name),
    isDefault: (name) => defaults.has(name) || (!known.facts.has(name) && (outer?.isDefault(name) ?? false)),
  };
}

function surroundings(
  scope: Scope,
  read: ReadonlySet<string>,
  made: TensorProto[] | undefined,
  c: Conversion,
): Surroundings {
  const own = new Map<string, Fact>();
  const find = (name: string) => (name ? (own.get(name) ?? scope.find(name)) : undefined);
  return {
    typeOf: (name) => find(name)?.type,
    contentsOf: (name) => find(name)?.contents,
    factOf: find,
    isDefault: (name) => scope.isDefault(name),
    isRead: (name) => read.has(name),
    fresh: (base) => fresh(base, c.names),
    declare: (name, fact) => own.set(name, fact),
    initialize: (tensor) => made !== undefined && made.push(tensor) > 0,
  };
}

function convertNode(node: NodeProto, place: Place, around: Surroundings, c: Conversion): NodeProto[] {
  const whole = withConvertedGraphs(node, place, c);
  const isCall = c.functions.has(functionKey(domainOf(node.domain), node.opType, node.overload));
  return domainOf(node.domain) !== c.domain || isCall ? [whole] : carry(whole, place.source, place.path, around, c);
}

/**
 * Converts an operator that the source opset does not define, starting at the first opset with an equivalent. Returns
 * the node unchanged if that opset is newer than the target.
 */
function carryForeign(node: NodeProto, source: number, path: string, around: Surroundings, c: Conversion): NodeProto[] {
  const former = c.domain === '' ? FORMER[node.opType] : undefined;
  const opset = former ? Math.max(source, LAST_FORMER + 1) : EARLY_SINCE[node.opType];
  const recipe = former ?? EARLY[node.opType];
  if (c.domain !== '' || !recipe || opset === undefined || c.target < opset) return [node];
  return attempt(node, { path, reaches: LAST_FORMER }, c, () => {
    const nodes = recipe({ ...around, node, opset });
    for (const made of nodes) inferMade(made, opset, around);
    return nodes.flatMap((made) => carry(made, opset, path, around, c));
  });
}

/** Converts a node through each version of its operator up to the target. */
function carry(node: NodeProto, source: number, path: string, around: Surroundings, c: Conversion): NodeProto[] {
  const { domain, target } = c;
  const versions = sinceOf(domain, node.opType);
  const isUp = target > source;
  const next = isUp
    ? versions.find((since) => since > source && since <= target)
    : versions.findLast((since) => since <= source && since > target);
  const from = schemaOf(domain, node.opType, source);
  if (!from) return carryForeign(node, source, path, around, c);
  if (next === undefined) return [node];
  const opset = isUp ? next : next - 1;
  return attempt(node, { path, reaches: isUp ? next - 1 : next }, c, () => {
    const nodes = cross({ ...around, node, from, to: schemaOf(domain, node.opType, opset), opset });
    for (const made of nodes) inferMade(made, opset, around);
    return nodes.flatMap((made) => carry(made, opset, path, around, c));
  });
}

/** Replaces a node. If the conversion is blocked, records the obstacle and returns the node unchanged. */
function attempt(
  node: NodeProto,
  at: Pick<Obstacle, 'path' | 'reaches'>,
  c: Conversion,
  replace: () => NodeProto[],
): NodeProto[] {
  try {
    return replace();
  } catch (thrown) {
    if (!(thrown instanceof Blocked)) throw thrown;
    c.obstacles.push({ ...at, node: node.name, operator: node.opType, reason: thrown.reason });
    return [node];
  }
}

function withConvertedGraphs(node: NodeProto, { source, path, known, outer }: Place, c: Conversion): NodeProto {
  if (!node.attribute.some(({ g, graphs }) => g || graphs.length > 0)) return node;
  const attribute = node.attribute.map((a) => {
    const inner = known.inner.get(keyOf(node.output, a.name)) ?? NOTHING;
    const convert = (graph: GraphProto, at: string) =>
      convertGraph(graph, { source, path: `${path}.${a.name}${at}`, known: inner, outer }, c);
    const graphs = a.graphs.map((graph, i) => convert(graph, `[${i}]`));
    const g = a.g && convert(a.g, '');
    if (g === a.g && graphs.every((graph, i) => graph === a.graphs[i])) return a;
    return new AttributeProto({ ...a, graphs, ...(g && { g }) });
  });
  return attribute.every((a, i) => a === node.attribute[i]) ? node : new NodeProto({ ...node, attribute });
}
