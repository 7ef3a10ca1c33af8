import type { ErrorCode } from '../base/errors.js';
import type { Expression } from '../graph/expression.js';
import type { Attribute, Graph, Node, Value } from '../graph/graph.js';
import type { Dim, ValueType } from '../graph/types.js';
import type { ElementType } from '../tensor/element-types.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';
import type { AttributeSpecs, AttributeValues } from './attributes.js';
import { parseSignature, type Signature, type TypeVariables } from './signature.js';

/** What is known of a node before it runs. Inputs and outputs go by position. */
export interface Inference<A> {
  readonly node: Node;
  readonly attributes: A;
  readonly inputCount: number;
  readonly outputCount: number;
  /** Whether input `i` is there at all. */
  given(i: number): boolean;
  /** Whether somebody uses output `i`. */
  wanted(i: number): boolean;
  type(i: number): ValueType;
  element(i: number): ElementType;
  /** Dimensions of tensor `i`; undefined while its rank is unknown. */
  dims(i: number): readonly Dim[] | undefined;
  /** Whether the contents of input `i` are known before the run; asking for no more than that, a rule holds for others too. */
  hasContents(i: number): boolean;
  /** Contents of input `i`, where they are known before the run. */
  contents(i: number): TensorValue | undefined;
  /** Contents of an integer input `i` of rank 0 or 1 as sizes, some of them symbols; undefined if unknown. */
  sizes(i: number): readonly Dim[] | undefined;
  /** A symbol for a size that nothing is known of. */
  unknown(): Dim;
  /** Types of a subgraph's results, as far as they follow from those of its inputs; `null`: unknown. */
  graphTypes(graph: Graph, inputs: readonly (ValueType | null)[]): readonly (ValueType | null)[];
  fail(code: ErrorCode, message: string): never;
}

/** A node on host values. */
export interface Evaluation<A> extends Inference<A> {
  value(i: number): HostValue;
  tensor(i: number): TensorValue;
}

/** Asks for runs of subgraphs, one after the other, and is given what they compute; in the end, the node's outputs. */
export type Iteration<T = HostValue[]> = Generator<SubgraphRun, T, HostValue[]>;

export interface SubgraphRun {
  readonly graph: Graph;
  readonly inputs: readonly HostValue[];
}

/** A node as other nodes. */
export interface Decomposition<A> extends Inference<A> {
  input(i: number): Value;
  /** Adds a node and returns its outputs. `operator` is a name of ONNX's domain, or `domain:Name`. */
  emit(
    operator: string,
    inputs: readonly (Value | null)[],
    attributes?: Record<string, Attribute>,
    outputs?: number,
  ): Value[];
  /** Adds the nodes of a subgraph of this node, `name` being its attribute, and returns its results. */
  inline(name: string, graph: Graph, inputs: readonly Value[]): Value[];
  constant(value: TensorValue): Value;
}

/** Everything about one version of one operator. */
export interface Operator<S extends AttributeSpecs = AttributeSpecs> {
  readonly domain: string;
  readonly name: string;
  /** First opset version this definition holds for. */
  readonly since: number;
  readonly signature: Signature;
  readonly types: TypeVariables;
  readonly attributes: S;
  /** Inputs whose contents shape the plan: their values must be known before it is made. */
  readonly planned: readonly number[];
  /** False where equal inputs need not give equal outputs. */
  readonly deterministic: boolean;
  readonly infer: (c: Inference<AttributeValues<S>>) => (ValueType | null)[];
  /** Output 0 as sizes, some of them symbols, where it is an integer tensor of rank 0 or 1. */
  readonly sizes?: (c: Inference<AttributeValues<S>>) => readonly Dim[] | undefined;
  /** Loads what `evaluate` cannot wait for; awaited before a graph with the operator runs. */
  prepare?(): Promise<unknown>;
  /** Runs on the host: any type, small tensors, constants. */
  readonly evaluate?: (c: Evaluation<AttributeValues<S>>) => HostValue[];
  /** Runs subgraphs of the node, on the host; a run can pause in any of them. */
  readonly iterate?: (c: Evaluation<AttributeValues<S>>) => Iteration;
  /** Says the node in other operators; undefined while too little is known. */
  readonly decompose?: (c: Decomposition<AttributeValues<S>>) => Value[] | undefined;
  /** Whether its result is the data of input 0 as they lie. */
  readonly isView?: boolean;
  /** What an elementwise operator computes of each element. */
  readonly expression?: (c: Inference<AttributeValues<S>>) => Expression | undefined;
}

type Declaration<S extends AttributeSpecs> = Partial<
  Pick<Operator<S>, 'domain' | 'since' | 'types' | 'attributes' | 'planned' | 'deterministic' | 'isView'>
> &
  Pick<Operator<S>, 'name' | 'infer' | 'sizes' | 'prepare' | 'evaluate' | 'iterate' | 'decompose' | 'expression'> & {
    /** See {@link Signature}. */
    readonly signature: string;
  };

/** Declares one version of an operator. */
export function defineOp<const S extends AttributeSpecs = Record<never, never>>(
  declaration: Declaration<S>,
): Operator<S> {
  let signature: Signature | undefined;
  return {
    domain: '',
    since: 1,
    types: {},
    attributes: {} as S,
    planned: [],
    deterministic: true,
    ...declaration,
    get signature() {
      signature ??= parseSignature(declaration.signature);
      return signature;
    },
  };
}

/** Operators whose attribute types no longer matter. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds operators of every attribute type
export type AnyOperator = Operator<any>;
