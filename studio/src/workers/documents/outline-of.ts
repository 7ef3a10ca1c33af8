import type { FunctionProto, GraphProto, NodeProto } from 'sardonyx/model';
import { NodeFlag, type Outline, ValueFlag } from '../../graph/outline.js';
import { Rows, Strings } from './columns.js';
import { graphsOf } from './graph-steps.js';
import { categoryOf } from './operators.js';
import { scopeOf } from './scope-of.js';
import { markShapeOnly } from './shape-only.js';
import { typeText, weightText } from './type-text.js';

export interface OutlineOptions {
  /** Path of the graph: `''`, `12/body`, `function/DOMAIN:NAME`. */
  readonly path?: string;
  /** `functionKey` of each of the model's functions. */
  readonly functions?: ReadonlySet<string>;
}

export const functionKey = (of: { domain: string; name: string; overload?: string }): string =>
  `${of.domain}:${of.name}:${of.overload ?? ''}`;

type Body = Pick<GraphProto, 'node' | 'input' | 'output' | 'initializer' | 'sparseInitializer' | 'valueInfo'>;

/** The columns of a graph, valid or not: the first definition of a value counts, and an undefined value has no producer. */
export function outlineOf(graph: Body, options: OutlineOptions = {}): Outline {
  const values = new Values();
  values.declare(graph);
  graph.node.forEach((node, i) => {
    values.produce(node, i);
  });
  const nodes = nodeColumns(graph.node, values, options);
  const outline: Outline = {
    path: options.path ?? '',
    strings: values.strings.all,
    classes: nodes.classes,
    nodes: nodes.columns,
    values: values.columns(graph),
    inputs: Int32Array.from(values.inputs),
    outputs: Int32Array.from(values.outputs),
  };
  markShapeOnly(outline);
  return outline;
}

/** The outline of a function's body, whose inputs and outputs have names only. */
export function outlineOfFunction(proto: FunctionProto, options: OutlineOptions = {}): Outline {
  const named = (name: string) => ({ name, type: null }) as GraphProto['input'][number];
  const { node, valueInfo, input, output } = proto;
  const path = `function/${proto.domain}:${proto.name}`;
  const body = { node, valueInfo, input: input.map(named), output: output.map(named) };
  return outlineOf({ ...body, initializer: [], sparseInitializer: [] }, { path, ...options });
}

/** The values of a graph by name. */
class Values {
  readonly strings = new Strings();
  readonly inputs: number[] = [];
  readonly outputs: number[] = [];
  private readonly places = new Map<string, number>();
  private readonly names: number[] = [];
  private readonly types: number[] = [];
  private readonly producers: number[] = [];
  private readonly flags: number[] = [];

  declare(graph: Body): void {
    for (const weight of graph.initializer) this.flag(weight.name, ValueFlag.initializer, weightText(weight));
    for (const { values } of graph.sparseInitializer)
      if (values) this.flag(values.name, ValueFlag.initializer, `sparse ${weightText(values)}`);
    for (const { name, type } of graph.input) {
      const value = this.flag(name, ValueFlag.input, typeText(type));
      if (value >= 0 && !((this.flags[value] ?? 0) & ValueFlag.initializer)) this.inputs.push(value);
    }
  }

  produce(node: NodeProto, index: number): void {
    for (const name of node.output) {
      const value = this.of(name);
      if (value < 0 || this.producers[value] !== -1 || this.flags[value]) continue;
      this.producers[value] = index;
      if (node.opType !== 'Constant') continue;
      this.flags[value] = ValueFlag.constant;
      const tensor = node.attribute.find(({ t }) => t)?.t;
      if (tensor) this.types[value] = this.strings.index(weightText(tensor));
    }
  }

  /** -1 for an empty name. */
  of(name: string): number {
    if (name === '') return -1;
    const found = this.places.get(name);
    if (found !== undefined) return found;
    const value = this.names.push(this.strings.index(name)) - 1;
    this.places.set(name, value);
    this.types.push(0);
    this.producers.push(-1);
    this.flags.push(0);
    return value;
  }

  has(name: string): boolean {
    return this.places.has(name);
  }

  /** The value that a node reads; if undefined in a subgraph, it is captured from an enclosing graph. */
  read(name: string, isInner: boolean): number {
    if (name === '' || this.has(name)) return this.of(name);
    return isInner ? this.flag(name, ValueFlag.captured, '') : this.of(name);
  }

  columns(graph: Body): Outline['values'] {
    for (const { name, type } of graph.valueInfo) if (this.has(name)) this.flag(name, 0, typeText(type));
    for (const { name, type } of graph.output) {
      const value = this.flag(name, ValueFlag.output, typeText(type));
      if (value >= 0) this.outputs.push(value);
    }
    return {
      count: this.names.length,
      name: Int32Array.from(this.names),
      type: Int32Array.from(this.types),
      producer: Int32Array.from(this.producers),
      flags: Uint8Array.from(this.flags),
    };
  }

  private flag(name: string, flag: number, type: string): number {
    const value = this.of(name);
    if (value < 0) return value;
    this.flags[value] = (this.flags[value] ?? 0) | flag;
    if (type !== '') this.types[value] = this.strings.index(type);
    return value;
  }
}

function nodeColumns(nodes: readonly NodeProto[], values: Values, { path = '', functions }: OutlineOptions) {
  const { strings } = values;
  const count = nodes.length;
  const column = () => new Int32Array(count);
  const [name, operator, domain, scope] = [column(), column(), column(), column()];
  const [category, flags] = [new Uint8Array(count), new Uint8Array(count)];
  const [inputs, outputs, captured] = [new Rows(), new Rows(), new Rows()];
  const classes = new Map<string, string>();
  nodes.forEach((node, i) => {
    name[i] = strings.index(node.name);
    operator[i] = strings.index(node.opType);
    domain[i] = strings.index(node.domain);
    const place = scopeOf(node);
    scope[i] = strings.index(place.path);
    if (place.classes) noteClasses(place.path, place.classes, classes);
    category[i] = categoryOf(node.opType);
    flags[i] = flagsOf(node, functions);
    for (const input of node.input) inputs.push(values.read(input, path !== ''));
    for (const output of node.output) outputs.push(values.of(output));
    for (const free of freeNames(node))
      if (path !== '' || values.has(free)) captured.push(values.read(free, path !== ''));
    for (const rows of [inputs, outputs, captured]) rows.end();
  });
  const ragged = { inputs: inputs.done(), outputs: outputs.done(), captured: captured.done() };
  return { columns: { count, name, operator, domain, scope, category, flags, ...ragged }, classes };
}

function noteClasses(path: string, types: readonly string[], classes: Map<string, string>): void {
  if (path === '' || classes.has(path)) return;
  const parts = path.split('/');
  types.forEach((type, i) => {
    if (type !== '') classes.set(parts.slice(0, i + 1).join('/'), type);
  });
}

function flagsOf(node: NodeProto, functions: ReadonlySet<string> | undefined): number {
  const isStandard = node.domain === '' || node.domain === 'ai.onnx';
  const { domain, opType: name, overload } = node;
  return (
    (isStandard && name === 'Constant' ? NodeFlag.constant : 0) |
    (isStandard && name === 'Identity' ? NodeFlag.identity : 0) |
    (node.attribute.some((each) => graphsOf(each).length > 0) ? NodeFlag.hasSubgraphs : 0) |
    (functions?.has(functionKey({ domain, name, overload })) ? NodeFlag.isFunctionCall : 0)
  );
}

/** Names that a node's subgraphs read from enclosing graphs. */
function freeNames(node: NodeProto): ReadonlySet<string> {
  const free = new Set<string>();
  for (const graph of node.attribute.flatMap(graphsOf)) for (const name of freeInGraph(graph)) free.add(name);
  return free;
}

function freeInGraph(graph: GraphProto): Set<string> {
  const own = new Set<string>();
  for (const { name } of graph.input) own.add(name);
  for (const { name } of graph.initializer) own.add(name);
  for (const { values } of graph.sparseInitializer) if (values) own.add(values.name);
  for (const node of graph.node) for (const name of node.output) own.add(name);
  const free = new Set<string>();
  const read = (name: string) => {
    if (name !== '' && !own.has(name)) free.add(name);
  };
  for (const node of graph.node) {
    node.input.forEach(read);
    freeNames(node).forEach(read);
  }
  for (const { name } of graph.output) read(name);
  return free;
}
