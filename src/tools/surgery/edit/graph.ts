import {
  type AttributeProto,
  NodeProto,
  type SparseTensorProto,
  TensorProto,
  ValueInfoProto,
} from '../../../../build/onnx.js';
import { type Dim, dimOf, mapSizes, sizeOf, type ValueType } from '../../../graph/types.js';
import { attributeTypeOf } from '../../../model/attribute-types.js';
import { withChanges } from '../../../model/document/changed.js';
import { allOf } from '../../../model/document/left-bytes.js';
import type { Model } from '../../../model/document/model.js';
import { readTensor } from '../../../model/tensors.js';
import { DimSymbols, readType } from '../../../model/types.js';
import { writeTensorProto } from '../../../model/write-attributes.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { rawDataOf } from '../../tensor-data.js';
import type { Body } from '../bodies.js';
import type { Opsets } from '../inline/opsets.js';
import type { FreshName } from '../names.js';
import { refused } from '../refuse.js';
import { typeProto } from '../types.js';
import { type AttributeValue, attributeProto, plainValue } from './attributes.js';

/** The type that an operator declares for an attribute, under opsets. */
export type DeclaredType = (
  operator: Pick<EditedNode, 'domain' | 'op'>,
  attribute: string,
  opsets: Opsets,
) => string | undefined;

/** State that the graphs of a model share while it is edited. */
export interface Surroundings {
  readonly files: Model['files'];
  readonly opsets: Opsets;
  readonly declared: DeclaredType;
  readonly taken: Set<string>;
  readonly fresh: FreshName;
}

/** A value of a graph during an edit. It knows its producer and its readers. */
export class EditedValue {
  /** The node that computes the value; undefined for inputs and constants. */
  producer: EditedNode | undefined;
  /** The data, if the value is a constant. */
  constant: TensorProto | SparseTensorProto | undefined;
  /** The declaration of the value's type. */
  info: ValueInfoProto | undefined;
  #name: string;
  readonly #reads = new Map<EditedNode, number>();

  constructor(
    /** The graph of the value. */
    readonly graph: EditedGraph,
    name: string,
  ) {
    this.#name = name;
  }

  /** The name, which is unique in the model. */
  get name(): string {
    return this.#name;
  }

  /** Throws if another value of the model has the name. */
  set name(name: string) {
    if (name === this.#name) return;
    const { taken } = this.graph.surroundings;
    if (!name || taken.has(name))
      throw refused(`cannot rename "${this.#name}" to "${name}", which is the name of another value`);
    this.rename(name);
  }

  /** @internal: renames the value without checking the new name. */
  rename(name: string): void {
    const { taken } = this.graph.surroundings;
    taken.delete(this.#name);
    taken.add(name);
    this.#name = name;
  }

  /** The nodes that have this value as an input, including those of subgraphs. */
  get readers(): EditedNode[] {
    return [...this.#reads.keys()];
  }

  /** Whether the value is an input of its graph. */
  get isInput(): boolean {
    return this.graph.inputs.includes(this);
  }

  /** Whether the value is an output of its graph. */
  get isOutput(): boolean {
    return this.graph.outputs.includes(this);
  }

  /** The declared type. */
  get type(): ValueType<Dim> | undefined {
    const type = readType(this.info?.type, new DimSymbols(), this.info?.name);
    return type && mapSizes(type, dimOf);
  }

  set type(type: ValueType<Dim> | undefined) {
    const info = this.info ?? new ValueInfoProto({ name: this.#name });
    this.info = type && withChanges(info, { type: typeProto(mapSizes(type, sizeOf)) });
  }

  /** The data of a constant. */
  async tensor(): Promise<TensorValue | undefined> {
    const { constant } = this;
    if (!(constant instanceof TensorProto)) return undefined;
    if (constant.stringData.length > 0) return readTensor(constant);
    const data = await allOf(await rawDataOf(constant, this.graph.surroundings));
    const rawData = data as Uint8Array<ArrayBuffer>;
    return readTensor(new TensorProto({ name: this.name, dims: constant.dims, dataType: constant.dataType, rawData }));
  }

  /** Makes the value a constant with this data. */
  set data(tensor: TensorValue) {
    if (this.producer) throw refused(`"${this.#name}" is the output of a node and cannot be a constant`);
    this.constant = new TensorProto(writeTensorProto(tensor, this.#name));
  }

  /** Makes all readers read another value. An output of the graph keeps its name. */
  replaceBy(other: EditedValue): void {
    if (other === this) return;
    for (const reader of this.readers) reader.inputs = reader.inputs.map((value) => (value === this ? other : value));
    for (const graph of graphsUnder(this.graph)) {
      const at = graph.outputs.indexOf(this);
      if (at >= 0) graph.replaceOutput(at, other);
    }
  }

  /** @internal */
  read(node: EditedNode, change: 1 | -1): void {
    const count = (this.#reads.get(node) ?? 0) + change;
    if (count > 0) this.#reads.set(node, count);
    else this.#reads.delete(node);
  }
}

type Operand = EditedValue | null;

/** A node during an edit. */
export class EditedNode {
  /** The name of the node. */
  name: string;
  /** The operator of the node. */
  op: string;
  /** The domain of the operator. */
  domain: string;
  /** The subgraphs of the node, by attribute. */
  readonly subgraphs = new Map<string, EditedGraph[]>();
  /** @internal */
  readonly protos: Map<string, AttributeProto>;
  #inputs: readonly Operand[] = [];
  #outputs: readonly Operand[] = [];

  constructor(
    /** The graph that contains the node. */
    readonly graph: EditedGraph,
    /** The original node. */
    readonly source: NodeProto,
  ) {
    ({ name: this.name, opType: this.op, domain: this.domain } = source);
    this.protos = new Map(source.attribute.map((attribute) => [attribute.name, attribute]));
  }

  /** The inputs; null for an omitted optional input. */
  get inputs(): readonly Operand[] {
    return this.#inputs;
  }

  set inputs(values: readonly Operand[]) {
    for (const value of this.#inputs) value?.read(this, -1);
    for (const value of values) value?.read(this, 1);
    this.#inputs = [...values];
  }

  /** The outputs. An assigned value that another node produced is now produced by this node. */
  get outputs(): readonly Operand[] {
    return this.#outputs;
  }

  /** Makes this node the producer of the values, instead of any other node. */
  set outputs(values: readonly Operand[]) {
    for (const value of values)
      if (value && (value.isInput || value.constant))
        throw refused(`"${value.name}" is an input or a constant and cannot be the output of a node`);
    for (const value of this.#outputs) if (value?.producer === this) value.producer = undefined;
    this.#outputs = [...values];
    for (const value of values) {
      const other = value?.producer;
      if (other && other !== this) other.#outputs = other.#outputs.map((made) => (made === value ? null : made));
      if (value) value.producer = this;
    }
  }

  /** The names of the attributes, including subgraphs. */
  get attributes(): string[] {
    return [...this.protos.keys()];
  }

  /** Returns the value of an attribute. */
  attribute(name: string): AttributeValue | undefined {
    const proto = this.protos.get(name);
    return proto && plainValue(proto);
  }

  /**
   * Sets an attribute, or removes it if the value is undefined. Its type is the one that the operator declares, or its
   * current type.
   */
  setAttribute(name: string, value: AttributeValue | undefined): void {
    if (this.subgraphs.has(name)) throw refused(`attribute ${name} is a subgraph; edit it in subgraphs`);
    if (value === undefined) this.protos.delete(name);
    else this.protos.set(name, attributeProto(name, value, this.#declared(name)));
  }

  #declared(name: string): string | undefined {
    const { opsets, declared } = this.graph.surroundings;
    const former = this.protos.get(name);
    return declared(this, name, opsets) ?? (former && attributeTypeOf(former.type));
  }

  /** All values that the node reads, including those in its subgraphs. */
  get operands(): Operand[] {
    const inner = [...this.subgraphs.values()].flat();
    return [
      ...this.#inputs,
      ...inner.flatMap(({ nodes, outputs }) => [...nodes.flatMap((n) => n.operands), ...outputs]),
    ];
  }

  /** Removes the node from its graph. Its outputs then have no producer and must not be read. */
  remove(): void {
    this.release();
    this.graph.nodes.splice(this.graph.nodes.indexOf(this), 1);
  }

  /** @internal */
  release(): void {
    this.inputs = [];
    for (const graph of [...this.subgraphs.values()].flat()) for (const node of graph.nodes) node.release();
    for (const value of this.#outputs) if (value?.producer === this) value.producer = undefined;
  }
}

/** A node for `EditedGraph.addNode`. */
export interface NewNode {
  /** The operator. */
  readonly op: string;
  /** The domain of the operator. Default: `ai.onnx`. */
  readonly domain?: string;
  /** The name of the node. */
  readonly name?: string;
  /** The inputs. */
  readonly inputs?: readonly Operand[];
  /** The outputs: names of new values, or values that this node now produces. Default: one new value. */
  readonly outputs?: readonly (string | Operand)[];
  /** The attributes, by name. */
  readonly attributes?: Readonly<Record<string, AttributeValue>>;
}

/** A graph during an edit. Nodes can be in any order. */
export class EditedGraph {
  /** The nodes of the graph. */
  readonly nodes: EditedNode[] = [];
  /** The inputs of the graph. */
  readonly inputs: EditedValue[] = [];
  /** The outputs of the graph. */
  readonly outputs: EditedValue[] = [];
  /** The initializers of the graph. */
  readonly constants: EditedValue[] = [];
  /** @internal: the values by their names in the file. */
  readonly originals = new Map<string, EditedValue>();

  constructor(
    /** The original graph or function. */
    readonly source: Body,
    /** The context of the edit: files, opsets and used names. */
    readonly surroundings: Surroundings,
    /** The graph around a subgraph. */
    readonly parent?: EditedGraph,
  ) {}

  /** All nodes, including those of subgraphs, which follow their parent node. */
  get allNodes(): EditedNode[] {
    return this.nodes.flatMap((node) => [
      node,
      ...[...node.subgraphs.values()].flat().flatMap((graph) => graph.allNodes),
    ]);
  }

  /** All values of this graph. */
  get values(): EditedValue[] {
    const made = this.nodes.flatMap(({ outputs }) => outputs.filter((value) => value !== null));
    return [...new Set([...this.inputs, ...this.constants, ...made])];
  }

  /** Returns the value with a name. */
  value(name: string): EditedValue | undefined {
    const original = this.originals.get(name);
    if (original?.name === name) return original;
    return this.values.find((value) => value.name === name);
  }

  /** Adds a node. Its position does not matter, as nodes are sorted when the edit ends. */
  addNode({ op, domain = '', name, inputs = [], outputs = [''], attributes = {} }: NewNode): EditedNode {
    const node = new EditedNode(this, new NodeProto({ opType: op, ...(domain && { domain }), ...(name && { name }) }));
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.inputs = inputs;
    node.outputs = outputs.map((output) =>
      typeof output === 'string' ? this.newValue(output || op.toLowerCase()) : output,
    );
    this.nodes.push(node);
    return node;
  }

  /** Creates a value without a producer. If the name is taken, it gets a similar one. */
  newValue(wanted: string): EditedValue {
    return new EditedValue(this, this.surroundings.fresh(wanted));
  }

  /** Adds an input of the given type. */
  addInput(name: string, type: ValueType<Dim>): EditedValue {
    const value = this.newValue(name);
    value.type = type;
    this.inputs.push(value);
    return value;
  }

  /** Adds an initializer with the given data. */
  addConstant(name: string, tensor: TensorValue): EditedValue {
    const value = this.newValue(name);
    value.data = tensor;
    this.constants.push(value);
    return value;
  }

  /** Makes a value of this graph an output. */
  addOutput(value: EditedValue): void {
    if (!this.outputs.includes(value)) this.outputs.push(value);
  }

  /** @internal: replaces an output by another value, which gets its name. */
  replaceOutput(at: number, other: EditedValue): void {
    const output = this.outputs[at] as EditedValue;
    if (other.graph !== this || !other.producer || other.isOutput) {
      this.addNode({ op: 'Identity', inputs: [other], outputs: [output] });
      return;
    }
    const { name, info } = output;
    const { fresh } = this.surroundings;
    output.rename(fresh(`${name}_before`));
    other.rename(name);
    other.info = info;
    this.outputs[at] = other;
  }
}

/** A graph and its subgraphs. */
export function graphsUnder(graph: EditedGraph): EditedGraph[] {
  const inner = graph.nodes.flatMap((node) => [...node.subgraphs.values()].flat());
  return [graph, ...inner.flatMap(graphsUnder)];
}
