import type { Engine } from '../../../bindings/engine.js';
import type { Fields, KernelName, KernelParams } from '../../../bindings/parameters.js';
import type { Place, Pointer } from '../../../bindings/place.js';
import type { Size } from '../../graph/sizes.js';
import type { AnyOperator, Inference, Primitive } from '../../schema/definition.js';
import type { ElementType } from '../../tensor/element-types.js';
import type { StoredTensor } from '../../tensor/stored-tensor.js';
import type { TensorValue } from '../../tensor/tensor-value.js';

/** A node as kernel launches. Its sizes are numbers, or sizes of a plan that is traced. */
export interface Lowering<A = unknown, D extends Size = number> extends Inference<A> {
  readonly engine: Engine;
  readonly operator: AnyOperator;
  shape(i: number): readonly D[];
  outputShape(i: number): readonly D[];
  outputElement(i: number): ElementType;
  input(i: number): Place;
  output(i: number): Place;
  /** Rows from one matrix of input `i` to the next, where those lie further apart than their rows take. */
  pitch(i: number): number | undefined;
  /** The same of output `i`, which then begins with input 0 already. */
  outputPitch(i: number): number | undefined;
  /** Memory that lives from the first to the last launch that names it. */
  temporary(bytes: Size): Place;
  /** `place` moved by `bytes`. */
  at(place: Place, bytes: Size): Place;
  /** 32-bit words beside the program. */
  table(words: readonly (Size | Pointer)[] | Int32Array | Float32Array | Formula): Place;
  /**
   * Constant input `i` in the form called `form`, made once per session by `pack` from the whole tensor, by its `pieces` where it need
   * not be in linear memory whole, or from what is kept of it.
   */
  packed(i: number, form: string, bytes: number, pack: Pack, otherwise?: Repacking): Place;
  /** What is kept of constant input `i`, to be packed from it: the weights in halves, as the case may be. */
  kept(i: number): StoredTensor | undefined;
  /**
   * Bytes that the host makes of `source` (this node's attributes, say) in the form called `form`, once per session, and
   * what `make` said of them.
   */
  made<F>(source: object, form: string, make: () => Made<F>): { readonly place: Place; readonly facts: F };
  /**
   * A word that a launch sets to 1 where it meets invalid data in input `i`: the run then fails with what `complaint` finds
   * wrong with them. It is given `sizes` as they are in that run.
   */
  guard(i: number, complaint: (data: TensorValue, sizes: readonly number[]) => string, sizes?: readonly Size[]): Place;
  /** A decision that must stay the same in every plan of this session, because constants are packed by it. */
  choose<T>(name: string, decide: () => T): T;
  /** Output `i` is input `j`, `bytes` further on; nothing runs. */
  alias(i: number, j: number, bytes?: Size): void;
  launch<K extends KernelName>(kernel: K, params: Fields<KernelParams[K]>, tiles: Size, effects: Effects): void;
}

/** 32-bit words that are made of some sizes; `make` gives none for numbers at which the node would have other launches. */
export interface Formula {
  readonly sizes: readonly Size[];
  readonly make: (numbers: readonly number[]) => Int32Array | Float32Array | undefined;
}

/** Makes the form of a weight at `target` from the whole of it at `source`. */
export type Pack = (source: number, target: number) => void;

/** The same from pieces of it, which are taken from `target` itself, if it lies there, before their form is written. */
export type PackPieces = (constant: TensorValue, target: number, isThere: boolean) => void;

/** Where a weight's form is made of something else than the whole tensor in linear memory. */
export interface Repacking {
  readonly from?: TensorValue;
  readonly pieces?: PackPieces;
}

/** Bytes that the host makes for a kernel, and what a lowering must know of them. */
export interface Made<F> {
  readonly bytes: Uint8Array;
  readonly facts: F;
}

/** The operands that a launch writes; it only reads the others in its block. */
export interface Effects {
  readonly writes: readonly Place[];
  /** Pairs [written, read] that may be the same memory: no element is read after it is written. */
  readonly inPlace?: readonly (readonly [Place, Place])[];
  /** Each as many tiles of the launch read what those before have written. */
  readonly phase?: number;
}

/** Emits the launches of a primitive, given its parameters; 'host' where no kernel serves it. */
// biome-ignore lint/suspicious/noExplicitAny: tables hold lowerings of every primitive
export type Lower<P = any, A = any, D extends Size = any> = (c: Lowering<A, D>, parameters: P) => 'host' | undefined;

/** How kernels run a primitive, and whether its lowering takes sizes that are not fixed. */
export interface LoweringRule {
  readonly lower: Lower;
  readonly bySize: boolean;
}

/** How kernels run a primitive whose lowering takes numbers: a plan for other sizes lowers it again. */
export const lowers = <P>(primitive: Primitive<P>, lower: Lower<P, unknown, number>): Lowerings => ({
  [primitive.name]: { lower, bySize: false },
});

/** The same where the lowering takes sizes: what it computes moves with them. */
export const lowersBySize = <P>(primitive: Primitive<P>, lower: Lower<P, unknown, Size>): Lowerings => ({
  [primitive.name]: { lower, bySize: true },
});

/** Lowerings by the name of the primitive. */
export type Lowerings = Readonly<Record<string, LoweringRule>>;
