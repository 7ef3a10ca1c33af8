import type { Executor } from '../backends/backend.js';
import { deliver } from '../backends/deliver.js';
import type { MemoryPlan } from '../backends/memory-plan.js';
import type { StepTimer } from '../backends/step-timer.js';
import type { Budget } from '../base/turns.js';
import type { Graph, Value } from '../graph/graph.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';

/** Runs the parts of a graph one after the other. Values between parts are in JavaScript memory. */
export class PartsExecutor implements Executor {
  timer: StepTimer | null = null;
  /** False, because a session frees the model's bytes only after runs of the whole graph. */
  readonly isWhole = false;
  readonly #values = new Map<Value, HostValue>();
  #targets: readonly (TensorValue | undefined)[] | undefined;
  #running = 0;
  #isBegun = false;

  constructor(
    readonly graph: Graph,
    private readonly parts: readonly Executor[],
  ) {}

  begin(
    inputs: readonly (HostValue | undefined)[],
    outer?: ReadonlyMap<Value, HostValue>,
    targets?: readonly (TensorValue | undefined)[],
  ): void {
    this.#values.clear();
    for (const [value, held] of outer ?? []) this.#values.set(value, held);
    this.graph.inputs.forEach((value, i) => {
      const input = inputs[i] === undefined ? value.constant : inputs[i];
      if (input !== undefined) this.#values.set(value, input);
    });
    this.#targets = targets;
    this.#running = 0;
    this.#isBegun = false;
  }

  advance(budget: Budget | null): boolean {
    for (let part = this.#current; part; part = this.#current) {
      if (!this.#isBegun) this.#beginPart(part);
      if (!part.advance(budget)) return false;
      const outputs = part.takeOutputs();
      part.graph.outputs.forEach((value, i) => {
        this.#values.set(value, outputs[i] as HostValue);
      });
      this.#running++;
      this.#isBegun = false;
      if (this.#current && budget?.isSpent()) return false;
    }
    return true;
  }

  #beginPart(part: Executor): void {
    part.timer = this.timer;
    part.begin(part.graph.inputs.map((value) => this.#values.get(value)));
    this.#isBegun = true;
  }

  get #current(): Executor | undefined {
    return this.parts[this.#running];
  }

  get pending(): Promise<unknown> | null {
    return (this.#isBegun && this.#current?.pending) || null;
  }

  get isWaiting(): boolean {
    return this.#current?.isWaiting ?? false;
  }

  takeOutputs(): HostValue[] {
    const outputs = this.graph.outputs.map((value, i) => deliver(value.name, this.#valueOf(value), this.#targets?.[i]));
    this.forget();
    return outputs;
  }

  /** Distinguishes an absent optional, which is null, from a value that has not been computed. */
  #valueOf(value: Value): HostValue {
    return (this.#values.has(value) ? this.#values.get(value) : value.constant) as HostValue;
  }

  /** The plan of the part with the largest arena. */
  get memoryPlan(): MemoryPlan | null {
    const plans = this.parts.flatMap(({ memoryPlan }) => memoryPlan ?? []);
    return plans.reduce<MemoryPlan | null>(
      (largest, plan) => (largest && largest.peak >= plan.peak ? largest : plan),
      null,
    );
  }

  forget(): void {
    this.#values.clear();
    this.#targets = undefined;
    for (const part of this.parts) part.forget();
  }
}
