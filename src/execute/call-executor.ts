import type { Computation, Executor } from '../backends/backend.js';
import { deliver } from '../backends/deliver.js';
import type { StepTimer } from '../backends/step-timer.js';
import { SardonyxError } from '../base/errors.js';
import type { Graph, Value } from '../graph/graph.js';
import { joined } from '../graph/origins.js';
import { admits, formatType, tensorType, type ValueType } from '../graph/types.js';
import { type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';

type State =
  | { readonly kind: 'ready'; readonly inputs: readonly HostValue[] }
  | { readonly kind: 'pending'; readonly settled: Promise<void> }
  | { readonly kind: 'done'; readonly outputs: readonly HostValue[] }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Runs the function that a backend has compiled from a graph: one call, timed as a whole, which may be asynchronous. */
class CallExecutor implements Executor {
  timer: StepTimer | null = null;
  readonly isWaiting = false;
  readonly isWhole = false;
  readonly memoryPlan = null;
  #state: State = { kind: 'ready', inputs: [] };
  #targets: readonly (TensorValue | undefined)[] | undefined;
  #started = 0;
  #fed: readonly HostValue[] = [];

  constructor(
    private readonly provider: string,
    readonly graph: Graph,
    private readonly compute: Computation,
    /** Known types of the outputs. */
    private readonly types: readonly (ValueType | undefined)[],
  ) {}

  begin(
    inputs: readonly (HostValue | undefined)[],
    _outer?: ReadonlyMap<Value, HostValue>,
    targets?: readonly (TensorValue | undefined)[],
  ): void {
    const given = this.graph.inputs.map((value, i) => inputs[i] ?? value.constant ?? null);
    this.#state = { kind: 'ready', inputs: given };
    this.#targets = targets;
  }

  advance(): boolean {
    if (this.#state.kind === 'ready') this.#call(this.#state.inputs);
    if (this.#state.kind === 'failed') throw this.#state.error;
    return this.#state.kind === 'done';
  }

  #call(inputs: readonly HostValue[]): void {
    this.#started = this.timer?.start() ?? 0;
    this.#fed = inputs;
    const given = this.compute(inputs);
    if (!('then' in given)) {
      this.#finish(given);
      return;
    }
    const settled = given
      .then((outputs) => {
        if (this.#state === own) this.#finish(outputs);
      })
      .catch((error) => {
        if (this.#state === own) this.#state = { kind: 'failed', error };
      });
    const own: State = { kind: 'pending', settled };
    this.#state = own;
  }

  #finish(outputs: readonly HostValue[]): void {
    const { nodes, outputs: wanted } = this.graph;
    if (outputs.length !== wanted.length) this.#refuse(`${outputs.length} outputs, not ${wanted.length}`);
    for (const [i, value] of wanted.entries()) this.#check(value, outputs[i], this.types[i]);
    const name = nodes.map((node) => node.name).join(' ');
    const op = nodes.map((node) => node.op).join(' ');
    const origins = joined(nodes);
    const { provider } = this;
    const given = [...this.#fed, ...outputs];
    this.timer?.stop(this.#started, { node: { name, op, origins }, provider, kernel: provider, facts: null, given });
    this.#state = { kind: 'done', outputs };
  }

  #check({ name }: Value, output: HostValue | undefined, type: ValueType | undefined): void {
    if (output === undefined || (type?.kind === 'tensor' && !isTensorValue(output)))
      this.#refuse(`no value for "${name}"`);
    if (type?.kind === 'tensor' && isTensorValue(output) && !admits(type, output))
      this.#refuse(`${formatType(tensorType(output.type, output.dims))} for "${name}", which is ${formatType(type)}`);
  }

  #refuse(given: string): never {
    throw new SardonyxError('INVALID_ARGUMENT', `the backend "${this.provider}" returned ${given}`);
  }

  get pending(): Promise<unknown> | null {
    return this.#state.kind === 'pending' ? this.#state.settled : null;
  }

  takeOutputs(): HostValue[] {
    const { outputs } = this.#state as Extract<State, { kind: 'done' }>;
    const taken = this.graph.outputs.map(({ name }, i) => deliver(name, outputs[i] as HostValue, this.#targets?.[i]));
    this.forget();
    return taken;
  }

  forget(): void {
    this.#state = { kind: 'ready', inputs: [] };
    this.#fed = [];
    this.#targets = undefined;
  }
}

/** Runs a graph that a backend has compiled to a function. */
export const executorOf = (...made: ConstructorParameters<typeof CallExecutor>): Executor => new CallExecutor(...made);
