import type { Pointer } from '../../../../bindings/place.js';
import type { NodeView } from '../../../analysis/node-view.js';
import type { Fact, Facts } from '../../../graph/facts.js';
import type { Graph, Node, Value } from '../../../graph/graph.js';
import type { ElementType } from '../../../tensor/element-types.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import type { PlanExplanation } from '../../plan-explanation.js';
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

/** Where the host reads a value: from linear memory, from contents fixed by the plan, or from the values of the run. */
export type Source =
  | Resident
  | { readonly kind: 'contents'; readonly contents: TensorValue }
  | { readonly kind: 'host'; readonly value: Value };

/** A node that runs in TypeScript. */
export interface HostCall {
  readonly view: NodeView;
  readonly inputs: readonly (Source | null)[];
  /** Values that its subgraphs capture. */
  readonly captured: readonly { readonly value: Value; readonly source: Source }[];
  readonly outputs: readonly (Resident | { readonly kind: 'host'; readonly value: Value } | null)[];
}

/** Steps `begin…end` of the stage's program, and their total number of tiles. */
export interface ProgramSegment {
  readonly kind: 'program';
  readonly begin: number;
  readonly end: number;
  readonly tiles: number;
}

export type Segment = ProgramSegment | { readonly kind: 'host'; readonly call: HostCall };

/** A word beside the program that a launch sets if it meets invalid data, which stays in place until the stage ends. */
export interface Guard {
  readonly word: Table;
  readonly node: Node;
  readonly source: Resident;
  readonly complaint: (data: TensorValue, sizes: readonly number[]) => string;
  /** Sizes that the complaint depends on. */
  readonly sizes: readonly number[];
}

/** The use of a slot: an input that an output extends (`grows`), only an input (`lent`), or only an output (`kept`). */
export interface SlotUse {
  readonly kind: 'grows' | 'lent' | 'kept';
  readonly past: Value;
  readonly present: Value;
  readonly matrices: number;
  readonly rowBytes: number;
  /** Rows from one matrix to the next, if they grow. */
  readonly pitch: number;
  /** The rows that a run adds, and their number. */
  readonly added: Value;
  readonly fresh: number;
  /** The cache in the slot during the current run. */
  cache: Cache | null;
}

/** A value that the host copies into linear memory before the stage runs. */
export interface CopyIn {
  readonly value: Value;
  readonly target: Resident;
  /** Whether its memory is not reused, so that the same value need not be copied again. */
  readonly lasts: boolean;
}

/**
 * The part of a plan up to shapes that depend on computed data. A graph without such shapes is one stage; otherwise the
 * rest is planned when the data is available, once for each set of shapes that occurs.
 */
export interface Stage {
  readonly copies: readonly CopyIn[];
  readonly segments: readonly Segment[];
  readonly program: Program;
  readonly guards: readonly Guard[];
  /** Memory outside the arena, such as caches, whose addresses each run sets. */
  readonly slots: readonly SlotUse[];
  /** Graph outputs that this stage computes, by position. */
  readonly outputs: readonly { readonly index: number; readonly value: Value; readonly source: Source }[];
  readonly buffers: readonly Buffer[];
  /** Places of the values that the stage computes or reads. */
  readonly values: ReadonlyMap<Value, Pointer>;
  readonly arenaBytes: number;
  /** Bytes in the session's account for values that were computed during planning. */
  readonly contentsBytes: number;
  readonly rest: Rest | null;
  readonly blueprint: Blueprint;
  /** Present once the stage has been traced. */
  movable: Movable | null;
}

/** How a stage was planned. */
export interface Blueprint {
  readonly start: StageStart;
  readonly specialized: Specialized;
  readonly lowered: readonly Lowered[];
  readonly host: HostSide;
}

/** A tensor from outside a stage; its data is read only where the stage was planned for its contents. */
export type GivenTensor = Pick<TensorValue, 'type' | 'dims'> & Partial<Pick<TensorValue, 'data'>>;

/** Tensors from outside a stage: fed, captured, or computed by earlier stages. */
export type Given = (value: Value) => GivenTensor | undefined;

/** A traced stage, which can be moved to other sizes. */
export interface Movable {
  /** Moves the stage to the sizes of these tensors; false if a guard fails. */
  moveTo(given: Given): boolean;
  /** The sizes of the tensors from outside that the stage currently serves. */
  readonly sizes: readonly number[];
  /** Whether sizes or contents of a value depend on those from outside. */
  varies(value: Value): boolean;
  /** The current fact about a value that varies. */
  factOf(value: Value): Fact;
  /** A function that returns all facts at the current sizes, even after the stage has been moved again. */
  factsLater(): () => Facts;
  explain(): PlanExplanation;
}

/** A function that returns the facts about a stage at its current sizes, even after it has been moved. */
export const factsLater = ({ movable, blueprint }: Stage): (() => Facts) =>
  movable?.factsLater() ?? (() => blueprint.start.facts);

/** The current fact about a value of a stage. */
export const factIn = ({ movable, blueprint }: Stage, value: Value): Fact | undefined =>
  movable?.varies(value) ? movable.factOf(value) : blueprint.start.facts.get(value);

/** The stages planned for one list of nodes. */
export interface Variants {
  /** By the sizes that they were planned for. */
  readonly stages: Map<string, Stage>;
  /** Those that can be moved, the most recently used first. */
  movable: readonly Stage[];
  /** The one planned last, and whether it has been traced. */
  latest: Stage | undefined;
  isTraced: boolean;
  /** The number of stages that could not be traced. */
  untraceable: number;
  /** Sizes and contents that have varied, by name; null if declarations say which may. */
  readonly varied: Set<string> | null;
}

export const newVariants = (varied: Set<string> | null): Variants => ({
  stages: new Map(),
  movable: [],
  latest: undefined,
  isTraced: false,
  untraceable: 0,
  varied,
});

/** The result of lowering one node, in order. */
export interface Lowered {
  /** Bit mask of inputs whose contents it depends on. */
  looked: number;
  readonly node: Node;
  readonly operands: readonly Value[];
  /** The number of launches before it in the stage. */
  readonly firstLaunch: number;
  readonly steps: (PlannedLaunch | HostCall)[];
  readonly temporaries: Buffer[];
  readonly tables: Table[];
  readonly guards: Guard[];
}

/** The values of a stage outside linear memory. */
export interface HostSide {
  /** Results whose types are known only once they are computed. */
  readonly dynamic: ReadonlySet<Value>;
  /** Values that the host holds; results of host calls are added. */
  readonly values: Set<Value>;
}

/** The inputs to planning a stage. */
export interface StageStart {
  readonly nodes: readonly Node[];
  readonly facts: Facts;
  /** Values that the host holds when the stage starts. */
  readonly held: readonly Value[];
  /** Values from outside whose sizes or contents may differ from run to run. */
  readonly given: readonly Value[];
  /** Values that earlier stages left on the host. */
  readonly onHost: ReadonlySet<Value>;
  /** Values that earlier stages left in the arena. */
  readonly resident: ReadonlyMap<Value, Resident>;
  readonly outputs: Graph['outputs'];
  /** Values that, once copied, stay in the arena from run to run. */
  readonly lasting: ReadonlySet<Value>;
  /** Whether nodes whose plans would depend on contents run on the host, if it can run them. */
  readonly evaluates: boolean;
}

/** The nodes to plan after a stage, and the values that they wait for. */
export interface Rest {
  readonly nodes: readonly Node[];
  /** Values whose contents the next plan needs. */
  readonly observed: readonly { readonly value: Value; readonly source: Source }[];
  /** Values whose types are known only after the stage. */
  readonly dynamic: readonly Value[];
  /** Values in the arena that later stages read. */
  readonly resident: ReadonlyMap<Value, Resident>;
  /** Values that the run holds outside linear memory. */
  readonly onHost: ReadonlySet<Value>;
  readonly variants: Variants;
  /** Whether some nodes that wait for contents could run on the host instead. */
  readonly canEvaluate: boolean;
  /** The number of different contents that plans have been made for. */
  contentsSeen: number;
}
