import type { Pointer } from '../../../../bindings/place.js';
import type { NodeView } from '../../../analysis/node-view.js';
import type { Facts } from '../../../graph/facts.js';
import type { Graph, Node, Value } from '../../../graph/graph.js';
import type { ElementType } from '../../../tensor/element-types.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import type { Cache } from '../caches/cache.js';
import type { PlannedLaunch } from './launch.js';
import type { Buffer, Table } from './places.js';
import type { Program } from './program.js';
import type { Specialized } from './specialize.js';

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
  readonly complaint: (data: TensorValue, sizes: readonly number[]) => string;
  /** Sizes that the complaint depends on. */
  readonly sizes: readonly number[];
}

/** What a slot holds: at first the rows of an input, in the end those of an output; or an input alone, or an output. */
export interface SlotUse {
  readonly kind: 'grows' | 'lent' | 'kept';
  readonly past: Value;
  readonly present: Value;
  readonly matrices: number;
  readonly rowBytes: number;
  /** Rows from one matrix to the next, where these grow. */
  readonly pitch: number;
  /** The rows that a run adds, and how many. */
  readonly added: Value;
  readonly fresh: number;
  /** What it is in the run that goes on. */
  cache: Cache | null;
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
  /** Inputs that outputs are, with rows appended: where they are, each run says. */
  readonly slots: readonly SlotUse[];
  /** Graph outputs by position, where this stage has computed them. */
  readonly outputs: readonly { readonly index: number; readonly value: Value; readonly source: Source }[];
  readonly buffers: readonly Buffer[];
  /** Where every value lies that the stage computes or reads; in a stage that was revised, those that its base has elsewhere. */
  readonly values: ReadonlyMap<Value, Pointer>;
  readonly arenaBytes: number;
  /** What the session's account has of values that were computed while planning. */
  readonly contentsBytes: number;
  readonly rest: Rest | null;
  readonly origin: Origin;
}

/** How a stage came about: planned from its nodes, or revised from one of other shapes. */
export type Origin =
  | Blueprint
  | {
      readonly kind: 'revised';
      readonly base: BaseStage /** Found anew when asked: plans do not keep them. */;
      readonly facts: () => Facts;
    };

/** A stage planned from its nodes. */
export type BaseStage = Stage & { readonly origin: Blueprint };

export const isBase = (stage: Stage): stage is BaseStage => stage.origin.kind === 'planned';

/** What is known of the values of a stage as it is now, wherever it may be moved: found out when that is asked for. */
export const factsLater = ({ origin }: Stage): (() => Facts) =>
  origin.kind === 'planned' ? () => origin.start.facts : origin.facts;

/** What is known of the values of a stage. */
export const factsOf = (stage: Stage): Facts => factsLater(stage)();

/** What planning found out that holds for other shapes too, as far as they lead to the same launches. */
export interface Blueprint {
  readonly kind: 'planned';
  readonly start: StageStart;
  readonly specialized: Specialized;
  readonly lowered: readonly Lowered[];
  readonly host: HostSide;
}

/** What the lowering of one node came to, in order. */
export interface Lowered {
  /** The inputs on whose contents it depends, as bits. */
  looked: number;
  readonly node: Node;
  readonly operands: readonly Value[];
  /** How many launches the stage had before. */
  readonly firstLaunch: number;
  readonly steps: (PlannedLaunch | HostCall)[];
  readonly temporaries: Buffer[];
  readonly tables: Table[];
  readonly guards: Guard[];
}

/** What of a stage is outside linear memory. */
export interface HostSide {
  /** Results whose type is known only when they are computed. */
  readonly dynamic: ReadonlySet<Value>;
  /** Values that the host holds; results of host calls are added. */
  readonly values: Set<Value>;
}

/** What a stage starts from. */
export interface StageStart {
  readonly nodes: readonly Node[];
  readonly facts: Facts;
  /** Values the host holds when the stage starts. */
  readonly held: readonly Value[];
  /** Values earlier stages left with the host. */
  readonly onHost: ReadonlySet<Value>;
  /** Values earlier stages left in the arena. */
  readonly resident: ReadonlyMap<Value, Resident>;
  readonly outputs: Graph['outputs'];
  /** Values that stay in the arena, once copied, from run to run. */
  readonly lasting: ReadonlySet<Value>;
  /** Whether nodes whose plan would depend on contents run on the host, where they can. */
  readonly evaluates: boolean;
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
