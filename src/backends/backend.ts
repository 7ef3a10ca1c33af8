import type { Budget } from '../base/turns.js';
import type { Graph, Value } from '../graph/graph.js';
import type { AnyOperator, Inference } from '../schema/definition.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';
import type { MemoryPlan } from './memory-plan.js';
import type { PlanExplanation } from './plan-explanation.js';
import type { StepTimer } from './step-timer.js';

/** A node offered to a backend: its types, and its sizes as numbers or symbols, as far as they are known. */
export interface Candidate extends Inference<Record<string, unknown>> {
  /** Its definition; `operator.computes` is the primitive that computes it. */
  readonly operator: AnyOperator;
}

/** Computes a graph in one call; returns a promise if results are asynchronous, as from a GPU. */
export type Computation = (inputs: readonly HostValue[]) => readonly HostValue[] | Promise<readonly HostValue[]>;

/**
 * Runs graphs, or parts of them. A backend needs a name, a test for the nodes that it can run, and `compile`, which
 * turns a graph of such nodes into a function from inputs to outputs.
 */
export interface Backend {
  /** The execution provider's name. */
  readonly name: string;
  /** Whether the backend can run a node. Nodes that it declines go to the next execution provider. */
  supports(node: Candidate): boolean;
  /** Compiles a graph of supported nodes to a function that computes the outputs, or to an executor that can pause. */
  compile(graph: Graph): Computation | Executor;
}

/** A graph that is ready to run. `begin` starts a run, and `advance` continues it, limited by a budget. */
export interface Executor {
  /** The graph that it runs. */
  readonly graph: Graph;
  /** The timer of a run's steps; null while profiling is off. */
  timer: StepTimer | null;
  /**
   * Starts a run, which `advance` continues, and discards an unfinished one. `inputs` are in the order of the graph's
   * inputs; `undefined` selects an input's default. `outer` holds the values that the graph captures, `targets` the
   * tensors that outputs are written into, by position.
   */
  begin(
    inputs: readonly (HostValue | undefined)[],
    outer?: ReadonlyMap<Value, HostValue>,
    targets?: readonly (TensorValue | undefined)[],
  ): void;
  /** Continues the run; returns whether it is done. */
  advance(budget: Budget | null): boolean;
  /** A promise that an unfinished run waits for; null if there is none. */
  readonly pending: Promise<unknown> | null;
  /** Whether the run cannot continue until another thread has done its part. */
  readonly isWaiting: boolean;
  /** The outputs of the finished run, in the order of the graph's outputs. */
  takeOutputs(): HostValue[];
  /** Whether a run has read all the constants that any run reads, so that their sources can be released. */
  readonly isWhole: boolean;
  /** Identifies the branch that the run took, if branches read different constants; absent if there is only one. */
  readonly way?: object | undefined;
  /** The placement of values in memory; null before the first run, and without a plan. */
  readonly memoryPlan: MemoryPlan | null;
  /** Explains which sizes the plan of the last run serves; absent without plans. */
  explain?(): Promise<PlanExplanation | null>;
  /** Releases everything that is still held for a run. */
  forget(): void;
}
