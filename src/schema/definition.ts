import type { ErrorCode } from '../base/errors.js';
import type { Attribute, Attributes, Graph, Node, Value } from '../graph/graph.js';
import type { Size } from '../graph/sizes.js';
import type { ValueType } from '../graph/types.js';
import type { ElementType } from '../tensor/element-types.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';
import type { AttributeSpecs, AttributeValues } from './attributes.js';
import { parseSignature, type Signature, type TypeVariables } from './signature.js';

/** What is known about a node before it runs. Inputs and outputs are given by position. */
export interface Inference<A> {
  readonly node: Node;
  readonly attributes: A;
  readonly inputCount: number;
  readonly outputCount: number;
  /** Whether input `i` is there at all. */
  given(i: number): boolean;
  /** Whether output `i` is used. */
  wanted(i: number): boolean;
  type(i: number): ValueType;
  element(i: number): ElementType;
  /** The element type that the model gives input `i`, which may be held in double precision. */
  declared(i: number): ElementType;
  /** Dimensions of tensor `i`; undefined while its rank is unknown. */
  dims(i: number): readonly Size[] | undefined;
  /** Whether the contents of input `i` are known before the run; asking for no more than that, a rule holds for others too. */
  hasContents(i: number): boolean;
  /** Contents of input `i`, where they are known before the run. */
  contents(i: number): TensorValue | undefined;
  /** Contents of an integer input `i` of rank 0 or 1 as sizes, some of them symbols; undefined if unknown. */
  sizes(i: number): readonly Size[] | undefined;
  /** A symbol for a size that nothing is known of. */
  unknown(): Size;
  fail(code: ErrorCode, message: string): never;
}

/** A node on host values. */
export interface Evaluation<A> extends Inference<A> {
  value(i: number): HostValue;
  tensor(i: number): TensorValue;
  /** The type that output `i` must have; all sizes are numbers. */
  result(i: number): { readonly element: ElementType; readonly dims: readonly number[] };
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

/** Properties of a primitive, which rewrites, plans and counters read instead of names. */
export interface Facts<P> {
  /** An element of the result depends on those at the same place of the operands alone. */
  readonly isElementwise?: boolean;
  /** The result is the data of operand 0 as they lie. */
  readonly isView?: boolean;
  /** Whether the elements of its result are unchanged elements of its operands or of a constant. */
  readonly moves?: (parameters: P) => boolean;
  /** Of operand 0 it reads no more than it gives. */
  readonly picks?: boolean;
  /** It may write over operands of the result's size. */
  readonly inPlace?: boolean;
  /** Where the channels of images are. */
  readonly layout?: 'channels-last' | 'channels-first';
  /** The epilogue: `full` is bias (operand 2), residual (operand 3) and activation. */
  readonly epilogue?: 'full' | 'activation';
  /** Elements of operand 1 from those that make one channel of the result, and scale with it, to those of the next. */
  readonly channelStride?: (weights: readonly number[], parameters: P) => number | undefined;
  /** Multiplications with addition, where it is measured by them. */
  readonly multiplyAdds?: (c: Inference<unknown>, parameters: P) => number;
  /** Whether it can read operand `i`, of these types, where matrices lie further apart than their rows take. */
  readonly takesPitch?: (c: Inference<unknown>, i: number) => boolean;
  /** The same of operands as they lie before a transposition of them by `perm`; undefined where that cannot be said. */
  readonly beforeTransposition?: (parameters: P, perm: readonly number[]) => Reordered<P> | undefined;
}

/** The parameters of a primitive for other operands, and the transposition of its result. */
export interface Reordered<P> {
  readonly parameters: P;
  readonly perm: readonly number[];
}

/** The operations that backends implement; about fifty, to which operators are lowered. */
export interface Primitive<P> {
  readonly name: string;
  readonly facts: Facts<P>;
  /** The plain definition: any element type, sums in double precision. */
  readonly reference: (c: Evaluation<unknown>, parameters: P) => HostValue[];
}

/** A node of the newest version of an operator: its attributes, and contents of inputs that are no operands, by number. */
export interface Restatement {
  readonly attributes: Attributes;
  readonly contents?: Readonly<Record<number, TensorValue>>;
}

/** The parameters of the primitive that computes the operator; undefined if only the host computes it. */
export interface Use<A, P> {
  readonly primitive: Primitive<P>;
  readonly parameters: (c: Inference<A>) => P | undefined;
  /** The node for other parameters; undefined if it does not change. */
  readonly restate?: (c: Inference<A>, parameters: P) => Restatement | undefined;
}

/** The operator that works in another order of axes, as `domain:Name`, and with which attributes. */
export interface Twin {
  readonly operator: string;
  readonly attributes: Attributes;
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
  /** Inputs that are caches, which it reads as they are stored: a plan may be told of a type that the model has not. */
  readonly caches?: readonly number[];
  /** False where equal inputs need not give equal outputs. */
  readonly deterministic: boolean;
  /** Inputs that may be sparse; their rules see them dense. */
  readonly sparse?: readonly number[];
  /** True if folding it makes constants larger, so that files keep the node. */
  readonly unpacks?: boolean;
  /** True where results follow from how numbers are stored, not from what they are. */
  readonly readsBits?: boolean;
  /**
   * How the operator treats half precision, if not by computing in float32. `as they are`: results depend on how values are rounded or stored.
   * `carried`: elements are only moved. The setting of one version applies to all versions of the operator.
   */
  readonly halves?: 'as they are' | 'carried';
  readonly infer: (c: Inference<AttributeValues<S>>) => (ValueType | null)[];
  /** Output 0 as sizes, some of them symbols, where it is an integer tensor of rank 0 or 1. */
  readonly sizes?: (c: Inference<AttributeValues<S>>) => readonly Size[] | undefined;
  /** Loads what `evaluate` needs, or inspects the graph as it was read; awaited before `evaluate` runs. */
  prepare?(graph: Graph): unknown;
  /** Runs on the host: any type, small tensors, constants. */
  readonly evaluate?: (c: Evaluation<AttributeValues<S>>) => HostValue[];
  /** Runs subgraphs of the node, on the host; a run can pause in any of them. */
  readonly iterate?: (c: Evaluation<AttributeValues<S>>) => Iteration;
  /** Nodes that it holds, and that take its place once the contents of what it is `planned` by are known. */
  readonly becomes?: (c: Inference<AttributeValues<S>>) => Node[];
  /** Says the node in other operators; undefined while too little is known. */
  readonly decompose?: (c: Decomposition<AttributeValues<S>>) => Value[] | undefined;
  /** The equivalent of this operator for [N, C, spatial…] instead of [N, spatial…, C]; undefined if it would be slower. */
  readonly channelsFirst?: (attributes: Attributes, rank: number) => Twin | undefined;
  /** The primitive that it is. */
  // biome-ignore lint/suspicious/noExplicitAny: `by` holds a primitive and its parameters to each other
  readonly computes?: Use<AttributeValues<S>, any>;
}

type Declaration<S extends AttributeSpecs> = Partial<
  Pick<Operator<S>, 'domain' | 'since' | 'types' | 'attributes' | 'planned' | 'deterministic'>
> &
  Pick<
    Operator<S>,
    | 'name'
    | 'caches'
    | 'sparse'
    | 'unpacks'
    | 'readsBits'
    | 'halves'
    | 'infer'
    | 'sizes'
    | 'prepare'
    | 'evaluate'
    | 'iterate'
    | 'becomes'
    | 'decompose'
    | 'computes'
    | 'channelsFirst'
  > & {
    /** See {@link Signature}. */
    readonly signature: string;
  };

/** Says that an operator is a primitive, and with which parameters. */
export const by = <A, P>(
  primitive: Primitive<P>,
  parameters: Use<A, P>['parameters'],
  restate?: Use<A, P>['restate'],
): Use<A, P> => ({ primitive, parameters, ...(restate && { restate }) });

/** How the host runs what is a primitive. */
const evaluating =
  <A, P>({ primitive, parameters }: Use<A, P>) =>
  (c: Evaluation<A>): HostValue[] =>
    primitive.reference(c, parameters(c) ?? c.fail('UNSUPPORTED_TYPE', 'cannot run on these types'));

/** Declares one version of an operator. What says no other way to run on the host runs as its primitive does. */
export function defineOp<const S extends AttributeSpecs = Record<never, never>>(
  declaration: Declaration<S>,
): Operator<S> {
  const { computes } = declaration;
  let signature: Signature | undefined;
  return {
    ...(computes && { evaluate: evaluating(computes) }),
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
