import { account } from '../../account.js';
import type { Budget } from '../../base/turns.js';
import type { Graph, Value } from '../../graph/graph.js';
import type { HostValue, TensorValue } from '../../tensor/tensor-value.js';
import type { Executor } from '../backend.js';
import { deliver } from '../deliver.js';
import type { StepTimer } from '../step-timer.js';
import { Frame } from './frame.js';
import { narrowed } from './precision.js';
import { runGraph, type Steps } from './run-graph.js';

/** Runs a graph node by node. */
export class Interpreter implements Executor {
  timer: StepTimer | null = null;
  readonly pending = null;
  readonly isWaiting = false;
  readonly isWhole = false;
  readonly memoryPlan = null;
  #steps: Steps<HostValue[]> | null = null;
  #outputs: HostValue[] = [];
  #targets: readonly (TensorValue | undefined)[] | undefined;

  constructor(readonly graph: Graph) {}

  begin(
    inputs: readonly (HostValue | undefined)[],
    outer?: ReadonlyMap<Value, HostValue>,
    targets?: readonly (TensorValue | undefined)[],
  ): void {
    const around = new Frame();
    for (const [value, held] of outer ?? []) around.set(value, held, value.type);
    this.#steps = runGraph(this.graph, [...inputs], around, this.timer);
    this.#targets = targets;
  }

  advance(budget: Budget | null): boolean {
    for (;;) {
      const step = (this.#steps as Steps<HostValue[]>).next();
      if (step.done) {
        this.#steps = null;
        this.#outputs = step.value;
        return true;
      }
      account()?.look();
      if (budget?.isSpent()) return false;
    }
  }

  takeOutputs(): HostValue[] {
    const taken = this.graph.outputs.map(({ name }, i) =>
      deliver(name, narrowed(this.#outputs[i] as HostValue), this.#targets?.[i]),
    );
    this.forget();
    return taken;
  }

  forget(): void {
    this.#steps = null;
    this.#outputs = [];
    this.#targets = undefined;
  }
}
