import type { Budget } from '../base/turns.js';
import type { Graph, Value } from '../graph/graph.js';
import type { AnyOperator, Inference } from '../schema/definition.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';
import type { MemoryPlan } from './memory-plan.js';
import type { PlanExplanation } from './plan-explanation.js';
import type { StepTimer } from './step-timer.js';

/** A node that a backend is asked about: types, and sizes as numbers or symbols, as far as they are known. */
export interface Candidate extends Inference<Record<string, unknown>> {
  /** Its definition, and in `operator.computes` the primitive that it is. */
  readonly operator: AnyOperator;
}

/** Computes a graph in one call; returns a promise if results are asynchronous, as from a GPU. */
export type Computation = (inputs: readonly HostValue[]) => readonly HostValue[] | Promise<readonly HostValue[]>;

/**
 * Runs graphs, or parts of them. A backend needs three members: a name, a test for the nodes that it can run, and `compile`, which turns a
 * graph of such nodes into a function from its inputs to its outputs.
 */
export interface Backend {
  /** The execution provider's name. */
  readonly name: string;
  /** Whether the backend can run a node; what it declines goes to the next execution provider. */
  supports(node: Candidate): boolean;
  /** Prepares a graph of nodes that it supports: a function that computes the outputs, or an executor that can pause. */
  compile(graph: Graph): Computation | Executor;
}

/** A graph that is ready to run. A run continues from `begin`, in pieces that its budget determines. */
export interface Executor {
  /** The graph that it runs. */
  readonly graph: Graph;
  /** The timer of a run's steps; null while profiling is off. */
  timer: StepTimer | null;
  /**
   * Begins a run that `advance` carries on; one that was not carried to its end is forgotten. `inputs` go by position of the
   * graph's inputs; `undefined` takes an input's default. `outer` are values that the graph captures, `targets` tensors that
   * an output of that position is written into.
   */
  begin(
    inputs: readonly (HostValue | undefined)[],
    outer?: ReadonlyMap<Value, HostValue>,
    targets?: readonly (TensorValue | undefined)[],
  ): void;
  /** Carries the run on; whether it is done. */
  advance(budget: Budget | null): boolean;
  /** What an unfinished run waits for, apart from its turn. */
  readonly pending: Promise<unknown> | null;
  /** Whether the run can only continue after another thread has done its part. */
  readonly isWaiting: boolean;
  /** The outputs of the run that has ended, in the order of the graph's outputs. */
  takeOutputs(): HostValue[];
  /** Whether a run has read all the constants that any will read: their sources may go. */
  readonly isWhole: boolean;
  /** Which of several ways the run has gone, of a graph that reads other constants on each; left out where there is one. */
  readonly way?: object | undefined;
  /** Where values lie; null before the first run, and where there is no plan. */
  readonly memoryPlan: MemoryPlan | null;
  /** For which sizes the plan of the last run serves; left out where there are no plans. */
  explain?(): Promise<PlanExplanation | null>;
  /** Lets go of what is still held of a run. */
  forget(): void;
}
