import type { Pointer } from '../../bindings/place.js';
import type { Facts } from '../graph/facts.js';
import type { Node, Value } from '../graph/graph.js';
import type { NodeView } from '../ops/node-view.js';
import type { ElementType } from '../tensor/element-types.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import type { Buffer, Table } from './places.js';
import type { Program } from './program.js';

/** A tensor in linear memory. */
export interface Resident {
  readonly kind: 'memory';
  readonly type: ElementType;
  readonly dims: readonly number[];
  readonly place: Pointer;
}

/** Where the host finds a value: in linear memory, fixed by the plan, or among the values of the run. */
export type Source =
  | Resident
  | { readonly kind: 'contents'; readonly contents: TensorValue }
  | { readonly kind: 'host'; readonly value: Value };

/** A node that runs in TypeScript. */
export interface HostCall {
  readonly view: NodeView;
  readonly inputs: readonly (Source | null)[];
  /** What its subgraphs capture. */
  readonly captured: readonly { readonly value: Value; readonly source: Source }[];
  readonly outputs: readonly (Resident | { readonly kind: 'host'; readonly value: Value } | null)[];
}

/** The steps `begin…end` of the stage's program, which have so many tiles in all. */
export interface ProgramSegment {
  readonly kind: 'program';
  readonly begin: number;
  readonly end: number;
  readonly tiles: number;
}

export type Segment = ProgramSegment | { readonly kind: 'host'; readonly call: HostCall };

/** A word beside the program that a launch sets where it meets invalid data, which stay in place until the stage's end. */
export interface Guard {
  readonly word: Table;
  readonly node: Node;
  readonly source: Resident;
  readonly complaint: (data: TensorValue) => string;
}

/** A value that the host copies into linear memory before the stage runs. */
export interface CopyIn {
  readonly value: Value;
  readonly target: Resident;
  /** Its memory is not used again, so that the same value need not be copied twice. */
  readonly lasts: boolean;
}

/**
 * The part of a plan up to where shapes depend on computed data. A graph without such shapes is one stage; otherwise
 * the rest is planned when the data are there, once for each set of shapes that occurs.
 */
export interface Stage {
  readonly copies: readonly CopyIn[];
  readonly segments: readonly Segment[];
  readonly program: Program;
  readonly guards: readonly Guard[];
  /** Graph outputs by position, where this stage has computed them. */
  readonly outputs: readonly { readonly index: number; readonly source: Source }[];
  readonly buffers: readonly Buffer[];
  /** Where every value lies that the stage computes or reads. */
  readonly values: ReadonlyMap<Value, Pointer>;
  readonly arenaBytes: number;
  /** What the session's account has of values that were computed while planning. */
  readonly contentsBytes: number;
  readonly rest: Rest | null;
}

/** What is left to plan after a stage, and what it waits for. */
export interface Rest {
  readonly nodes: readonly Node[];
  readonly facts: Facts;
  /** Values whose contents the next plan needs. */
  readonly observed: readonly { readonly value: Value; readonly source: Source }[];
  /** Values whose type is known only now. */
  readonly dynamic: readonly Value[];
  /** Values in the arena that later stages read. */
  readonly resident: ReadonlyMap<Value, Resident>;
  /** Values that the run holds outside linear memory. */
  readonly onHost: ReadonlySet<Value>;
  readonly cache: Map<string, Stage>;
  /** Whether some of what waits for contents could run on the host instead. */
  readonly canEvaluate: boolean;
  /** How many different contents a plan has been made for. */
  contentsSeen: number;
}
