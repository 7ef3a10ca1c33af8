import type { TensorValue } from '../tensor/tensor-value.js';
import type { Expression } from './expression.js';
import type { Origins } from './origin.js';
import type { ValueType } from './types.js';

/** One value of the graph; identity is the object, the name is for people. */
export interface Value {
  readonly name: string;
  type?: ValueType;
  /** Its contents, if the model fixes them. */
  constant?: TensorValue;
  /** The constant is only a default: a feed may replace it. */
  isDefault?: boolean;
}

/** Integers as decimal strings, if one of them exceeds the range of a number. */
type Exact = readonly string[];

export type AttributeValue =
  | { readonly type: 'int'; readonly value: number; readonly exact?: Exact | undefined }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'tensor'; readonly value: TensorValue }
  | { readonly type: 'sparse'; readonly value: SparseTensor }
  | { readonly type: 'graph'; readonly value: Graph }
  | { readonly type: 'type'; readonly value: ValueType }
  | { readonly type: 'ints'; readonly value: readonly number[]; readonly exact?: Exact | undefined }
  | { readonly type: 'floats'; readonly value: readonly number[] }
  | { readonly type: 'strings'; readonly value: readonly string[] }
  | { readonly type: 'tensors'; readonly value: readonly TensorValue[] }
  | { readonly type: 'sparses'; readonly value: readonly SparseTensor[] }
  | { readonly type: 'graphs'; readonly value: readonly Graph[] }
  | { readonly type: 'types'; readonly value: readonly ValueType[] };

/**
 * A reference, in the body of a function, refers to the attribute of that name on the call. An expression defines an elementwise
 * operator of the domain `sardonyx`.
 */
export type Attribute =
  | AttributeValue
  | { readonly type: 'expression'; readonly value: Expression }
  | { readonly type: 'reference'; readonly value: string; readonly of?: AttributeValue['type'] };

/** Non-zero values with their linear indices ([nnz]) or coordinates ([nnz, rank]), and the dense shape. */
export interface SparseTensor {
  readonly values: TensorValue;
  readonly indices: TensorValue;
  readonly dims: readonly number[];
}

export type Attributes = Readonly<Record<string, Attribute>>;

export interface Node {
  readonly name: string;
  readonly domain: string;
  readonly op: string;
  /** Selects one of the model-local functions of this name. */
  readonly overload?: string;
  /** Opset version of its domain that the node is written in; undefined: the newest. */
  opset?: number;
  /** `null`: an optional input that is left out. */
  inputs: (Value | null)[];
  outputs: (Value | null)[];
  attributes: Attributes;
  /** The model's nodes that it comes from, if it comes from a model's file. @internal */
  origins?: Origins | undefined;
  /** The operator's definition, from the registry. @internal */
  binding?: object;
}

/**
 * Nodes are in topological order. A subgraph (an attribute of If, Loop, Scan …) uses outer values by holding the
 * same Value objects. An input with a `constant` has that default.
 */
export interface Graph {
  readonly name: string;
  inputs: Value[];
  outputs: Value[];
  nodes: Node[];
}

/** A model-local function: a subgraph with formal inputs, outputs and attributes. */
export interface FunctionDefinition {
  readonly domain: string;
  readonly name: string;
  readonly overload: string;
  readonly attributes: readonly string[];
  readonly defaults: Attributes;
  readonly opsets: ReadonlyMap<string, number>;
  readonly graph: Graph;
}

export interface Model {
  readonly irVersion: number;
  readonly producer: string;
  /** Version by domain; ONNX's own domain is ''. */
  readonly opsets: ReadonlyMap<string, number>;
  readonly metadata: ReadonlyMap<string, string>;
  readonly functions: readonly FunctionDefinition[];
  readonly graph: Graph;
}
