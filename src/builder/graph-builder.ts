import { optionsOf } from '../base/arguments.js';
import { SardonyxError } from '../base/errors.js';
import type { Graph, Node, SparseTensor, Value } from '../graph/graph.js';
import type { Size } from '../graph/sizes.js';
import { type Dim, mapSizes, sizeOf, tensorType, type ValueType } from '../graph/types.js';
import { operatorName } from '../graph/walk.js';
import { densify } from '../model/sparse.js';
import { ELEMENTS, type ElementType } from '../tensor/element-types.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import {
  checkBuild,
  checkConstant,
  checkInputs,
  checkName,
  checkOperator,
  checkOutputs,
  checkShape,
  checkValue,
  checkValueType,
} from './arguments.js';
import { type AttributeInput, toAttributes } from './attributes.js';

/** Attributes by name. Undefined ones are ignored. */
export type AttributeInputs = Readonly<Record<string, AttributeInput | undefined>>;

/** The number of outputs of a node, or their names; `null` for an absent one. */
export type OutputSpec = number | readonly (string | null)[];

/** A tuple of N values, up to 16; an array for more. */
type Repeated<N extends number, T extends Value[] = []> = T['length'] extends N
  ? T
  : T['length'] extends 16
    ? Value[]
    : Repeated<N, [...T, Value]>;

/** `Value` for each output; a tuple if the specification is a literal. */
export type OutputsOf<S extends OutputSpec> = S extends readonly unknown[]
  ? { -readonly [I in keyof S]: S[I] extends null ? null : Value }
  : S extends number
    ? number extends S
      ? Value[]
      : Repeated<S>
    : never;

/** Options of a node. */
export interface NodeOptions<S extends OutputSpec = 1> {
  /** The number of outputs of the node, or their names; default 1. */
  readonly outputs?: S;
  /** The node's name; by default derived from the operator. */
  readonly name?: string;
  /** The operator's domain, such as `com.microsoft`; by default ONNX's own. */
  readonly domain?: string;
  /** Selects one of several functions with the same name. */
  readonly overload?: string;
}

/** State that all graphs of a model share. */
export interface BuilderContext {
  /** Versions of the domains that nodes may use. */
  readonly opsets: Map<string, number>;
  /** Constants that are stored as sparse tensors. */
  readonly sparse: Map<Value, SparseTensor>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Builds one graph. A subgraph sees the values of its outer graphs. */
export class GraphBuilder {
  private readonly inputs: Value[] = [];
  private readonly outputs: Value[] = [];
  private readonly nodes: Node[] = [];
  private readonly byName = new Map<string, Value>();
  /** Values with generated names, which an output may replace. */
  private readonly provisional = new Set<Value>();

  constructor(
    private readonly graphName: string,
    protected readonly context: BuilderContext,
    private readonly outer?: GraphBuilder,
  ) {}

  /**
   * Adds an input. Its type is an element type and dims (absent: any rank), or the type of a sequence, optional or map. Inputs of functions
   * have no type.
   */
  input(
    name: string,
    type?: ElementType | ValueType<Dim | Size>,
    dims?: readonly Dim[],
    options: { readonly default?: TensorValue } = {},
  ): Value {
    const { default: constant } = optionsOf(options, 'options of an input', '{ default: tensor }');
    const known = type === undefined ? undefined : toType(type, dims);
    if (constant !== undefined) checkConstant(name, constant);
    const value = this.define(name);
    if (known) value.type = known;
    if (constant) value.constant = constant;
    this.inputs.push(value);
    return value;
  }

  /**
   * Adds an initializer: a tensor that is stored in the graph.
   * @example const two = b.constant('two', tensor('float32', [], [2]));
   */
  constant(name: string, tensor: TensorValue): Value {
    checkName(name);
    checkConstant(name, tensor);
    const value = this.define(name);
    value.type = toType(tensor.type, tensor.dims);
    value.constant = tensor;
    return value;
  }

  /** A constant that is stored as a sparse tensor in the file. */
  sparseConstant(name: string, sparse: SparseTensor): Value {
    const value = this.constant(name, densify(sparse, name));
    this.context.sparse.set(value, sparse);
    return value;
  }

  /** Adds a node and returns its outputs. `null` in the inputs omits an optional one. */
  node<const S extends OutputSpec = 1>(
    op: string,
    inputs: readonly (Value | null)[] = [],
    attributes: AttributeInputs = {},
    options: NodeOptions<S> = {},
  ): OutputsOf<S> {
    checkOperator(op);
    checkInputs(op, inputs);
    const given = optionsOf(options, `options of ${op}`, '{ outputs: 2 }');
    const { outputs = 1 as S, name, domain = '', overload } = given;
    const named = optionsOf(attributes, `attributes of ${op}`, '{ axis: 1 }');
    const place = { node: name ?? `${op}_${this.nodes.length}`, operator: operatorName({ domain, op }) };
    checkOutputs(outputs, place);
    if (!this.context.opsets.has(domain))
      throw new SardonyxError(
        'INVALID_GRAPH',
        `the model does not import the domain "${domain}" (option opsets)`,
        place,
      );
    for (const value of inputs)
      if (value && !this.sees(value))
        throw new SardonyxError('INVALID_GRAPH', 'belongs to another builder or to a scope that is not visible here', {
          ...place,
          value: value.name,
        });
    const names: readonly (string | null | undefined)[] =
      typeof outputs === 'number' ? new Array<undefined>(outputs).fill(undefined) : outputs;
    const values = names.map((output) =>
      output === null ? null : output === undefined ? this.defineProvisional(op) : this.define(output),
    );
    this.nodes.push({
      name: place.node,
      domain,
      op,
      ...(overload && { overload }),
      inputs: [...inputs],
      outputs: values,
      attributes: toAttributes(named),
    });
    return values as OutputsOf<S>;
  }

  /** Adds a node with one output, for use in expressions: `b.op('Add', [b.op('Mul', [x, x]), y])`. */
  op(
    op: string,
    inputs: readonly (Value | null)[] = [],
    attributes: AttributeInputs = {},
    options: Omit<NodeOptions, 'outputs'> = {},
  ): Value {
    return this.node(op, inputs, attributes, options)[0];
  }

  /** Makes `value` an output. Adds an Identity if the caller has given the value another name. */
  output(name: string, value: Value, type?: ElementType | ValueType<Dim | Size>, dims?: readonly Dim[]): Value {
    checkName(name);
    checkValue(value);
    const named = value.name === name && this.byName.get(name) === value ? value : this.renamed(name, value);
    if (this.outputs.includes(named)) throw invalid('is listed twice as an output', name);
    if (type !== undefined) named.type = toType(type, dims);
    this.outputs.push(named);
    return named;
  }

  /** Builds a graph for an attribute (If, Loop, Scan …). Its nodes may use all values that are visible here so far. */
  subgraph(name: string, build: (graph: GraphBuilder) => void): Graph {
    checkBuild(build);
    const inner = new GraphBuilder(name, this.context, this);
    build(inner);
    return inner.toGraph();
  }

  /**
   * Returns the graph as built so far.
   * @throws SardonyxError INVALID_GRAPH if it has no outputs
   */
  toGraph(): Graph {
    if (this.outputs.length === 0) throw new SardonyxError('INVALID_GRAPH', `graph ${this.graphName} has no outputs`);
    const { graphName: name, inputs, outputs, nodes } = this;
    return { name, inputs: [...inputs], outputs: [...outputs], nodes: [...nodes] };
  }

  private define(name: string): Value {
    checkName(name);
    if (this.find(name)) throw invalid('is already defined', name);
    const value: Value = { name };
    this.byName.set(name, value);
    return value;
  }

  private defineProvisional(op: string): Value {
    let n = this.nodes.length;
    while (this.find(`${op}_${n}`)) n++;
    const value = this.define(`${op}_${n}`);
    this.provisional.add(value);
    return value;
  }

  private renamed(name: string, value: Value): Value {
    if (!this.sees(value))
      throw invalid('belongs to another builder or to a scope that is not visible here', value.name);
    if (!this.provisional.delete(value)) return this.node('Identity', [value], {}, { outputs: [name] })[0];
    if (this.find(name)) throw invalid('is already defined', name);
    this.byName.delete(value.name);
    this.byName.set(name, value);
    (value as Mutable<Value>).name = name;
    return value;
  }

  private find(name: string): Value | undefined {
    return this.byName.get(name) ?? this.outer?.find(name);
  }

  private sees(value: Value): boolean {
    return this.byName.get(value.name) === value || (this.outer?.sees(value) ?? false);
  }
}

function toType(type: ElementType | ValueType<Dim | Size>, dims?: readonly Dim[]): ValueType {
  if (typeof type !== 'string') {
    checkValueType(type);
    return mapSizes(type, sizeOf);
  }
  if (!(type in ELEMENTS)) throw new SardonyxError('INVALID_GRAPH', `there is no element type "${type}"`);
  checkShape(dims);
  return tensorType(type, dims?.map(sizeOf));
}

const invalid = (message: string, value: string): SardonyxError =>
  new SardonyxError('INVALID_GRAPH', message, { value });
