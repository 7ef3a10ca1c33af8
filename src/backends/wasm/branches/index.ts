// Graphs in which boolean inputs select branches of If, such as decoders merged from one with and one without caches.
// Loaded with models that have such graphs.
import type { Budget } from '../../../base/turns.js';
import type { Graph, Value } from '../../../graph/graph.js';
import type { HostValue, TensorValue } from '../../../tensor/tensor-value.js';
import type { Executor } from '../../backend.js';
import type { MemoryPlan } from '../../memory-plan.js';
import type { PlanExplanation } from '../../plan-explanation.js';
import type { StepTimer } from '../../step-timer.js';
import { type ExecutionContext, GraphRunner } from '../execute/graph-runner.js';
import type { Branched } from '../wasm-backend.js';
import { conditionsOf } from './conditions.js';
import { taken } from './taken.js';
import { findTwins } from './twins.js';

/** Runs a graph as several, one per combination of branches, so that each is planned as a whole. */
class BranchedRunner implements Executor {
  readonly #runners: GraphRunner[] = [];
  #current: GraphRunner | undefined;
  #timer: StepTimer | null = null;
  /** Runs never wait for promises. */
  readonly pending = null;

  constructor(
    private readonly context: ExecutionContext,
    readonly graph: Graph,
    /** Positions of the inputs that select branches. */
    private readonly conditions: readonly number[],
  ) {}

  begin(
    inputs: readonly (HostValue | undefined)[],
    outer?: ReadonlyMap<Value, HostValue>,
    targets?: readonly (TensorValue | undefined)[],
  ): void {
    this.#current = this.#runnerFor(inputs);
    this.#current.timer = this.#timer;
    this.#current.begin(inputs, outer, targets);
  }

  #runnerFor(inputs: readonly (HostValue | undefined)[]): GraphRunner {
    let way = 0;
    for (let i = 0; i < this.conditions.length; i++) {
      const { data } = this.#condition(inputs, this.conditions[i] as number);
      way = 2 * way + (data[0] ? 1 : 0);
    }
    const runner = this.#runners[way] ?? this.#newRunner(inputs);
    this.#runners[way] = runner;
    return runner;
  }

  #newRunner(inputs: readonly (HostValue | undefined)[]): GraphRunner {
    const known = this.conditions.map((at) => {
      const { type, dims, data } = this.#condition(inputs, at);
      return [this.graph.inputs[at] as Value, { type, dims, data: data.slice() } as TensorValue] as const;
    });
    return new GraphRunner(this.context, taken(this.graph, new Map(known)));
  }

  #condition(inputs: readonly (HostValue | undefined)[], at: number): TensorValue {
    return (inputs[at] ?? this.graph.inputs[at]?.constant) as TensorValue;
  }

  advance(budget: Budget | null): boolean {
    return (this.#current as GraphRunner).advance(budget);
  }

  takeOutputs(): HostValue[] {
    return (this.#current as GraphRunner).takeOutputs();
  }

  get timer(): StepTimer | null {
    return this.#timer;
  }

  set timer(timer: StepTimer | null) {
    this.#timer = timer;
  }

  get isWaiting(): boolean {
    return this.#current?.isWaiting ?? false;
  }

  get isWhole(): boolean {
    return this.#current?.isWhole ?? false;
  }

  get way(): object | undefined {
    return this.#current;
  }

  get memoryPlan(): MemoryPlan | null {
    return this.#current?.memoryPlan ?? null;
  }

  async explain(): Promise<PlanExplanation | null> {
    return (await this.#current?.explain()) ?? null;
  }

  forget(): void {
    for (const runner of this.#runners) runner?.forget();
  }
}

/** Compiles graphs whose inputs select branches, for all or some outputs of `whole`. */
export function branchedIn(whole: Graph): Branched {
  findTwins(whole);
  return (context, graph) => {
    const conditions = conditionsOf(graph);
    return conditions.length > 0 ? new BranchedRunner(context, graph, conditions) : undefined;
  };
}
