import type { Engine } from '../../../bindings/engine.js';
import type { Fields, KernelName, KernelParams } from '../../../bindings/parameters.js';
import type { Place, Pointer } from '../../../bindings/place.js';
import type { Size } from '../../graph/sizes.js';
import type { AnyOperator, Inference, Primitive } from '../../schema/definition.js';
import type { ElementType } from '../../tensor/element-types.js';
import type { StoredTensor } from '../../tensor/stored-tensor.js';
import type { TensorValue } from '../../tensor/tensor-value.js';

/** A node as kernel launches. Its sizes are numbers, or expressions in a trace. */
export interface Lowering<A = unknown> extends Inference<A> {
  readonly engine: Engine;
  readonly operator: AnyOperator;
  shape(i: number): readonly Size[];
  outputShape(i: number): readonly Size[];
  outputElement(i: number): ElementType;
  input(i: number): Place;
  output(i: number): Place;
  /** Whether the contents of input `i` are known and do not follow from sizes. */
  isConstant(i: number): boolean;
  /** Rows from one matrix of input `i` to the next, if there are gaps between them. */
  pitch(i: number): number | undefined;
  /** The same for output `i`, which then already begins with input 0. */
  outputPitch(i: number): number | undefined;
  /** Memory that lives from the first to the last launch that names it. */
  temporary(bytes: Size): Place;
  /** `place` moved by `bytes`. */
  at(place: Place, bytes: Size): Place;
  /** 32-bit words beside the program. */
  table(words: readonly (Size | Pointer)[] | Int32Array | Float32Array | Formula): Place;
  /**
   * Constant input `i` in the form called `form`, made once per session: by `pack` from the whole tensor, by its
   * `pieces` if it need not be in linear memory as a whole, or from the tensor that is stored for it.
   */
  packed(i: number, form: string, bytes: number, pack: Pack, otherwise?: Repacking): Place;
  /** The tensor that is stored for constant input `i`, to pack it from: weights in half precision, for example. */
  kept(i: number): StoredTensor | undefined;
  /**
   * Bytes that the host derives from `source`, such as this node's attributes, in the form called `form`, once per
   * session, and the facts about them that `make` returned.
   */
  made<F>(source: object, form: string, make: () => Made<F>): { readonly place: Place; readonly facts: F };
  /**
   * A word that a launch sets to 1 if it meets invalid data in input `i`: the run then fails with the message that
   * `complaint` returns. It receives `sizes` as they are in that run.
   */
  guard(i: number, complaint: (data: TensorValue, sizes: readonly number[]) => string, sizes?: readonly Size[]): Place;
  /** A decision that must be the same in every plan of this session, because constants are packed according to it. */
  choose<T>(name: string, decide: () => T): T;
  /** Makes output `i` a view of input `j` at offset `bytes`; nothing runs. */
  alias(i: number, j: number, bytes?: Size): void;
  launch<K extends KernelName>(kernel: K, params: Fields<KernelParams[K]>, tiles: Size, effects: Effects): void;
}

/**
 * 32-bit words that depend on sizes; `make` returns undefined for numbers at which the node would have other launches.
 */
export interface Formula {
  readonly sizes: readonly Size[];
  readonly make: (numbers: readonly number[]) => Int32Array | Float32Array | undefined;
}

/** Packs a weight at `source` into its form at `target`. */
export type Pack = (source: number, target: number) => void;

/** The same from pieces of the weight. If it lies at `target` (`isThere`), each is read before its form is written. */
export type PackPieces = (constant: TensorValue, target: number, isThere: boolean) => void;

/** Alternatives to packing from the whole tensor in linear memory. */
export interface Repacking {
  readonly from?: TensorValue;
  readonly pieces?: PackPieces;
}

/** Bytes that the host makes for a kernel, and facts about them for the lowering. */
export interface Made<F> {
  readonly bytes: Uint8Array;
  readonly facts: F;
}

/** The operands that a launch writes; it only reads the others in its block. */
export interface Effects {
  readonly writes: readonly Place[];
  /** Pairs [written, read] that may share memory: no element is read after it is written. */
  readonly inPlace?: readonly (readonly [Place, Place])[];
  /** Tiles per phase; each phase reads what earlier ones have written. */
  readonly phase?: number;
}

/** Emits the launches of a primitive, given its parameters; 'host' if no kernel supports them. */
// biome-ignore lint/suspicious/noExplicitAny: tables hold lowerings of every primitive
export type Lower<P = any, A = any> = (c: Lowering<A>, parameters: P) => 'host' | undefined;

export const lowers = <P>(primitive: Primitive<P>, lower: Lower<P, unknown>): Lowerings => ({
  [primitive.name]: lower,
});

/** Lowerings by the name of the primitive. */
export type Lowerings = Readonly<Record<string, Lower>>;
