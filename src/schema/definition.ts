import type { ErrorCode } from '../base/errors.js';
import type { Attribute, Attributes, Graph, Node, Value } from '../graph/graph.js';
import type { Size } from '../graph/sizes.js';
import type { ValueType } from '../graph/types.js';
import type { ElementType } from '../tensor/element-types.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';
import type { AttributeSpecs, AttributeValues } from './attributes.js';
import { parseSignature, type Signature, type TypeVariables } from './signature.js';

/** Information about a node before it runs. Inputs and outputs are given by position. */
export interface Inference<A> {
  readonly node: Node;
  readonly attributes: A;
  readonly inputCount: number;
  readonly outputCount: number;
  /** Whether input `i` is present. */
  given(i: number): boolean;
  /** Whether output `i` is used. */
  wanted(i: number): boolean;
  type(i: number): ValueType;
  element(i: number): ElementType;
  /** The element type that the model gives input `i`, although a backend may hold it in double precision. */
  declared(i: number): ElementType;
  /** Dimensions of tensor `i`, or undefined while its rank is unknown. */
  dims(i: number): readonly Size[] | undefined;
  /** Whether the contents of input `i` are known before the run. A rule that uses only this holds for any contents. */
  hasContents(i: number): boolean;
  /** Contents of input `i`, if they are known before the run. */
  contents(i: number): TensorValue | undefined;
  /** Contents of an integer input `i` of rank 0 or 1 as sizes, some of them symbols; undefined if unknown. */
  sizes(i: number): readonly Size[] | undefined;
  /** A new symbol for an unknown size. */
  unknown(): Size;
  fail(code: ErrorCode, message: string): never;
}

/** Context to run a node in JavaScript. */
export interface Evaluation<A> extends Inference<A> {
  value(i: number): HostValue;
  tensor(i: number): TensorValue;
  /** The type of output `i`; all sizes are numbers. */
  result(i: number): { readonly element: ElementType; readonly dims: readonly number[] };
}

/** Yields runs of subgraphs, receives their outputs, and returns the node's outputs. */
export type Iteration<T = HostValue[]> = Generator<SubgraphRun, T, HostValue[]>;

export interface SubgraphRun {
  readonly graph: Graph;
  readonly inputs: readonly HostValue[];
}

/** Context to decompose a node into others. */
export interface Decomposition<A> extends Inference<A> {
  input(i: number): Value;
  /** Adds a node and returns its outputs. `operator` is a name in ONNX's domain, or `domain:Name`. */
  emit(
    operator: string,
    inputs: readonly (Value | null)[],
    attributes?: Record<string, Attribute>,
    outputs?: number,
  ): Value[];
  /** Adds the nodes of the subgraph in attribute `name`, and returns its outputs. */
  inline(name: string, graph: Graph, inputs: readonly Value[]): Value[];
  constant(value: TensorValue): Value;
}

/** Properties of a primitive. Rewrites, plans and counters read these instead of names. */
export interface Facts<P> {
  /** Whether each element of the result depends only on elements at the same position of the operands. */
  readonly isElementwise?: boolean;
  /** Whether the result is the data of operand 0, unchanged. */
  readonly isView?: boolean;
  /** Whether the elements of the result are unchanged elements of operands or of a constant. */
  readonly moves?: (parameters: P) => boolean;
  /** Whether it reads no more of operand 0 than it returns. */
  readonly picks?: boolean;
  /** Whether the result may overwrite operands of its size. */
  readonly inPlace?: boolean;
  /** Position of the channels of images. */
  readonly layout?: 'channels-last' | 'channels-first';
  /** The epilogue: `full` is bias (operand 2), residual (operand 3) and activation. */
  readonly epilogue?: 'full' | 'activation';
  /** Distance in operand 1 between the elements of two neighboring output channels, if each channel scales with its elements. */
  readonly channelStride?: (weights: readonly number[], parameters: P) => number | undefined;
  /** Number of multiply-adds, if this measures the work. */
  readonly multiplyAdds?: (c: Inference<unknown>, parameters: P) => number;
  /** Whether operand `i`, of these types, may have a pitch: matrices further apart than their rows take. */
  readonly takesPitch?: (c: Inference<unknown>, i: number) => boolean;
  /** The primitive before a transposition of its operands by `perm`; undefined if there is none. */
  readonly beforeTransposition?: (parameters: P, perm: readonly number[]) => Reordered<P> | undefined;
}

/** The parameters of a primitive for transposed operands, and the transposition of its result. */
export interface Reordered<P> {
  readonly parameters: P;
  readonly perm: readonly number[];
}

/** The operations that backends implement, about fifty; operators are lowered to these. */
export interface Primitive<P> {
  readonly name: string;
  readonly facts: Facts<P>;
  /** The reference implementation: any element type, sums in double precision. */
  readonly reference: (c: Evaluation<unknown>, parameters: P) => HostValue[];
}

/** Attributes of a node in the newest version of an operator, and contents of planned inputs by position. */
export interface Restatement {
  readonly attributes: Attributes;
  readonly contents?: Readonly<Record<number, TensorValue>>;
}

/** The primitive that computes an operator. Its parameters are undefined if only the JavaScript fallback computes it. */
export interface Use<A, P> {
  readonly primitive: Primitive<P>;
  readonly parameters: (c: Inference<A>) => P | undefined;
  /** The node for other parameters; undefined if it stays the same. */
  readonly restate?: (c: Inference<A>, parameters: P) => Restatement | undefined;
}

/** The operator for another order of axes, as `domain:Name`, and its attributes. */
export interface Twin {
  readonly operator: string;
  readonly attributes: Attributes;
}

/** The definition of one version of an operator. */
export interface Operator<S extends AttributeSpecs = AttributeSpecs> {
  readonly domain: string;
  readonly name: string;
  /** First opset version to which this definition applies. */
  readonly since: number;
  readonly signature: Signature;
  readonly types: TypeVariables;
  readonly attributes: S;
  /** Inputs whose contents the plan depends on, so that they must be known before. */
  readonly planned: readonly number[];
  /** Inputs that are KV caches, read as stored. Their type in a plan may differ from the model's. */
  readonly caches?: readonly number[];
  /** False if equal inputs may give different outputs. */
  readonly deterministic: boolean;
  /** Inputs that may be sparse; rules see them as dense. */
  readonly sparse?: readonly number[];
  /** True if folding makes constants larger, so that files keep the node. */
  readonly unpacks?: boolean;
  /** True if results depend on the stored bits of numbers. */
  readonly readsBits?: boolean;
  /**
   * Treatment of half precision, if not by computing in float32. `as they are`: results depend on how values are rounded or stored.
   * `carried`: elements are only moved. The setting of one version applies to all versions of the operator.
   */
  readonly halves?: 'as they are' | 'carried';
  readonly infer: (c: Inference<AttributeValues<S>>) => (ValueType | null)[];
  /**
   * Whether `infer` and `sizes` decide by sizes through src/graph/guards.ts alone, so that a plan can be traced through the operator. Other
   * operators are inferred again by numbers where a plan moves.
   */
  readonly guarded?: boolean;
  /** Output 0 as sizes, some of them symbols, if it is an integer tensor of rank 0 or 1. */
  readonly sizes?: (c: Inference<AttributeValues<S>>) => readonly Size[] | undefined;
  /** Loads modules that `evaluate` needs, or inspects the original graph; awaited before `evaluate` runs. */
  prepare?(graph: Graph): unknown;
  /** The JavaScript fallback: any type, small tensors, constants. */
  readonly evaluate?: (c: Evaluation<AttributeValues<S>>) => HostValue[];
  /** Runs subgraphs of the node in JavaScript; a run can pause in any of them. */
  readonly iterate?: (c: Evaluation<AttributeValues<S>>) => Iteration;
  /** Nodes of a subgraph that replace the node once its `planned` inputs are known. */
  readonly becomes?: (c: Inference<AttributeValues<S>>) => Node[];
  /** Decomposes the node; undefined while too little is known. */
  readonly decompose?: (c: Decomposition<AttributeValues<S>>) => Value[] | undefined;
  /** The equivalent of this operator for [N, C, spatial…] instead of [N, spatial…, C]; undefined if it would be slower. */
  readonly channelsFirst?: (attributes: Attributes, rank: number) => Twin | undefined;
  /** The primitive that computes it. */
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
    | 'guarded'
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

/** Declares that a primitive computes an operator, and with which parameters. */
export const by = <A, P>(
  primitive: Primitive<P>,
  parameters: Use<A, P>['parameters'],
  restate?: Use<A, P>['restate'],
): Use<A, P> => ({ primitive, parameters, ...(restate && { restate }) });

/** The JavaScript fallback of an operator that is a primitive. */
const evaluating =
  <A, P>({ primitive, parameters }: Use<A, P>) =>
  (c: Evaluation<A>): HostValue[] =>
    primitive.reference(c, parameters(c) ?? c.fail('UNSUPPORTED_TYPE', 'cannot run on these types'));

/** Declares one version of an operator. Without an `evaluate` of its own, it uses its primitive's reference implementation. */
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

/** Operators of any attribute type. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds operators of every attribute type
export type AnyOperator = Operator<any>;
