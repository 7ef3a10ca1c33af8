import { account } from '../../../account.js';
import { evaluateOnHost, iterateOnHost } from '../../../analysis/evaluate.js';
import { SardonyxError } from '../../../base/errors.js';
import { type Budget, TILES_PER_LOOK } from '../../../base/turns.js';
import { capturesOf } from '../../../graph/captures.js';
import type { Graph, Value } from '../../../graph/graph.js';
import { formatType, tensorType } from '../../../graph/types.js';
import type { TypedArray } from '../../../tensor/element-types.js';
import { detached, type HostValue, isTensorValue, type TensorValue } from '../../../tensor/tensor-value.js';
import type { Executor } from '../../backend.js';
import { numbersFor } from '../../check-target.js';
import type { MemoryPlan } from '../../memory-plan.js';
import type { PlanExplanation } from '../../plan-explanation.js';
import type { StepTimer } from '../../step-timer.js';
import { Arena } from '../plan/arena.js';
import type { PlanningContext } from '../plan/context.js';
import { loadTracing } from '../plan/load-tracing.js';
import type { CopyIn, HostCall, ProgramSegment, Resident, Segment, Source, Stage } from '../plan/stage.js';
import { addressesOf, addressOf, copyIn, copyInto, copyOf, copyOut, lengthOf, type OutputPlace } from './memory.js';
import { memoryPlanOf } from './placed-values.js';
import { Plans } from './plans.js';
import type { Steps } from './steps.js';
import { SubgraphCall } from './subgraph-call.js';

/** State that all runners of a session share. */
export interface ExecutionContext extends PlanningContext {
  /** Checks guard zones, if there are any. */
  readonly guards: Steps | null;
  readonly timing: Timing;
}

/** The timing of steps, which is loaded before the first timed run. */
interface Timing {
  stepsFor?: (timer: StepTimer) => Steps;
}

/** Runs one graph; plans are kept per set of input shapes. */
export class GraphRunner implements Executor {
  readonly #plans: Plans;
  readonly #frame = new Map<Value, HostValue>();
  readonly #inner = new Map<Graph, GraphRunner>();
  readonly #captures: readonly Value[];
  readonly #ran: Stage[] = [];
  /** Values around this graph; a new object each time that the node which holds the graph runs. */
  #outer: ReadonlyMap<Value, HostValue> | undefined;
  /** Whether captured values are still where the last run copied them. */
  #inPlace = false;
  #timer: StepTimer | null = null;
  #timed: Steps | null = null;
  /** Runs never wait for promises. */
  readonly pending = null;
  #outputs: HostValue[] = [];
  #targets: readonly (TensorValue | undefined)[] | undefined;
  /** Runs programs step by step; null if they run as a whole. */
  #steps: Steps | null = null;
  /** The position of the run in its stage: the segment and, in a program, the tile, or the step if `#steps` runs it. */
  #segment = 0;
  #position = 0;
  #subgraphs: SubgraphCall | null = null;
  constructor(
    private readonly context: ExecutionContext,
    readonly graph: Graph,
  ) {
    this.#captures = capturesOf(graph);
    this.#plans = new Plans(context, graph, this.#captures, { frame: this.#frame, stages: this.#ran });
  }

  get timer(): StepTimer | null {
    return this.#timer;
  }

  set timer(timer: StepTimer | null) {
    if (timer === this.#timer) return;
    this.#timer = timer;
    this.#timed = (timer && this.context.timing.stepsFor?.(timer)) ?? null;
  }

  begin(
    fed: readonly (HostValue | undefined)[],
    outer?: ReadonlyMap<Value, HostValue>,
    targets?: readonly (TensorValue | undefined)[],
  ): void {
    const { graph } = this;
    const { caching } = this.context;
    const inputs = caching?.told(graph, fed) ?? fed;
    const frame = this.#frame;
    for (let i = 0; i < graph.inputs.length; i++) {
      const input = inputs[i];
      if (input === undefined) frame.delete(graph.inputs[i] as Value);
      else frame.set(graph.inputs[i] as Value, input);
    }
    if (outer !== this.#outer) for (const value of this.#captures) frame.set(value, outer?.get(value) as HostValue);
    this.#outputs = new Array(graph.outputs.length);
    this.#targets = targets;
    account()?.giveBack(this);
    this.#steps = this.#timed ?? this.context.guards;
    this.#subgraphs = null;
    const last = this.#ran[0];
    const first = this.#plans.first(inputs);
    if (caching && !caching.isAsTold(graph, first)) {
      caching.distrust(graph);
      this.begin(fed, outer, targets);
      return;
    }
    this.#inPlace = first === last && outer === this.#outer;
    this.#outer = outer;
    // Emptying the array would free its memory, and each run would allocate it again.
    this.#ran[0] = first;
    this.#ran.length = 1;
    this.#enter(first);
  }

  /**
   * Continues the run until it is done; false if the budget is spent before, or another thread keeps it waiting. The
   * budget is checked after work, never before, so that even the smallest one makes progress.
   */
  advance(budget: Budget | null): boolean {
    for (;;) {
      const stage = this.#ran.at(-1) as Stage;
      if (!this.#runSegments(stage, budget)) return false;
      this.#leave(stage);
      if (!stage.rest) return true;
      const next = this.#plans.next(stage, (source) => this.#read(stage, source) as TensorValue);
      this.#ran.push(next);
      this.#enter(next);
    }
  }

  takeOutputs(): HostValue[] {
    const outputs = this.#outputs;
    this.#outputs = [];
    this.#targets = undefined;
    return outputs;
  }

  /** The stages of the last run, in order. */
  get lastStages(): readonly Stage[] {
    return this.#ran;
  }

  get memoryPlan(): MemoryPlan | null {
    return memoryPlanOf(this.#ran, this.context.engine.memory.buffer.byteLength);
  }

  async explain(): Promise<PlanExplanation | null> {
    const stage = this.#ran[0];
    const { tracing } = this.context;
    if (!tracing.functions.makeMovable) await loadTracing(tracing);
    const movable = stage?.movable ?? (stage && tracing.functions.makeMovable?.(this.context, stage, null));
    return movable?.explain() ?? null;
  }

  get isWaiting(): boolean {
    return this.context.engine.isWaiting;
  }

  forget(): void {
    this.#frame.clear();
    this.#outer = undefined;
    this.#subgraphs = null;
    for (const runner of this.#inner.values()) runner.forget();
  }

  release(): void {
    this.#plans.clear();
    for (const runner of this.#inner.values()) runner.release();
  }

  /** Whether every node has been planned in the last run. */
  get isWhole(): boolean {
    return this.#ran.at(-1)?.rest === null;
  }

  // The rest runs on every call: it uses indexed loops, computes addresses once, and allocates only results.

  #enter(stage: Stage): void {
    this.#segment = 0;
    this.#position = 0;
    const { engine, arena } = this.context;
    const { copies } = addressesOf(stage, arena.base);
    if (stage.guards.length > 0) this.#resetGuards(stage);
    if (stage.slots.length > 0) this.context.caching?.fill(stage, this.graph, this.#frame);
    for (let i = 0; i < copies.length; i++) {
      const { value, lasts } = stage.copies[i] as CopyIn;
      if (lasts && this.#inPlace) continue;
      const tensor = this.#frame.get(value) as TensorValue;
      copyIn(engine, copies[i] as number, tensor.data as TypedArray);
    }
  }

  #runSegments(stage: Stage, budget: Budget | null): boolean {
    const { segments } = stage;
    while (this.#segment < segments.length) {
      if (!this.#runSegment(stage, segments[this.#segment] as Segment, budget)) return false;
      this.#segment++;
      this.#position = 0;
      if (this.#segment < segments.length && budget?.isSpent()) return false;
    }
    return true;
  }

  #runSegment(stage: Stage, segment: Segment, budget: Budget | null): boolean {
    if (segment.kind === 'host') return this.#call(stage, segment.call, budget);
    return this.#steps
      ? this.#stepThrough(this.#steps, stage, segment, budget)
      : this.#runTiles(stage, segment, budget);
  }

  #runTiles({ program }: Stage, { begin, end, tiles }: ProgramSegment, budget: Budget | null): boolean {
    const { engine } = this.context;
    const most = budget ? TILES_PER_LOOK * engine.threads : tiles;
    while (this.#position < tiles) {
      const to = Math.min(this.#position + most, tiles);
      if (!engine.run(program.address, begin, end, this.#position, to)) return false;
      this.#position = to;
      if (budget?.isSpent() && to < tiles) return false;
    }
    return true;
  }

  #stepThrough(steps: Steps, stage: Stage, { begin, end }: ProgramSegment, budget: Budget | null): boolean {
    const { engine, arena } = this.context;
    while (begin + this.#position < end) {
      if (!steps.runStep(engine, stage, arena.base, begin + this.#position)) return false;
      this.#position++;
      if (begin + this.#position < end && budget?.isSpent()) return false;
    }
    return true;
  }

  #leave(stage: Stage): void {
    const { engine, arena } = this.context;
    const { outputs: places } = addressesOf(stage, arena.base);
    if (stage.guards.length > 0) this.#check(stage);
    for (let i = 0; i < stage.outputs.length; i++) {
      const { index, source } = stage.outputs[i] as Stage['outputs'][number];
      const target = this.#targets?.[index];
      const { name } = this.graph.outputs[index] as Value;
      if (stage.slots.length > 0 && this.#isShown(stage, index, source, target, name)) continue;
      if (source.kind !== 'memory') this.#outputs[index] = this.#hostOutput(source, target, name);
      else if (target) copyInto(engine, places[i] as OutputPlace, target, name);
      else this.#outputs[index] = this.#copied(places[i] as OutputPlace);
    }
  }

  /** Sets an output that stays in place; false for others. */
  #isShown(stage: Stage, index: number, source: Source, target: TensorValue | undefined, name: string): boolean {
    const shown = this.context.caching?.show(stage, source);
    if (shown && target) (target.data as TypedArray).set(numbersFor(name, target, shown) as never);
    if (shown) this.#outputs[index] = shown;
    return shown !== undefined;
  }

  #copied(place: OutputPlace): TensorValue {
    account()?.copyOut(lengthOf(place) * place.array.BYTES_PER_ELEMENT, this.#outer && this);
    return copyOf(this.context.engine, place);
  }

  /** Clears guards that a failed run may have left set. */
  #resetGuards({ guards, program }: Stage): void {
    for (const { word } of guards) this.context.engine.i32[(program.address + word.offset) / 4] = 0;
  }

  /** Throws if a launch has met invalid data. */
  #check(stage: Stage): void {
    const { guards, program } = stage;
    const { i32 } = this.context.engine;
    const met = guards.find(({ word }) => i32[(program.address + word.offset) / 4] !== 0);
    if (!met) return;
    const complaint = met.complaint(this.#read(stage, met.source) as TensorValue, met.sizes);
    throw new SardonyxError('INVALID_VALUE', complaint, { node: met.node.name, operator: met.node.op });
  }

  #read(stage: Stage, source: Source): HostValue {
    if (source.kind === 'contents') return source.contents;
    if (source.kind === 'host') return this.#frame.get(source.value) as HostValue;
    return copyOut(this.context.engine, addressOf(stage, this.context.arena.base, source), source);
  }

  /** An output outside linear memory. The session's caller gets a copy; an outer graph does not need one. */
  #hostOutput(source: Exclude<Source, Resident>, target: TensorValue | undefined, name: string): HostValue {
    const value = source.kind === 'contents' ? source.contents : (this.#frame.get(source.value) as HostValue);
    if (target) (target.data as TypedArray).set(numbersFor(name, target, value) as never);
    return target || this.#outer ? value : detached(value);
  }

  #call(stage: Stage, call: HostCall, budget: Budget | null): boolean {
    const started = this.#subgraphs?.started ?? this.#timer?.start() ?? 0;
    const results = call.view.operator.iterate
      ? this.#iterate(stage, call, budget)
      : evaluateOnHost(call.view, this.#inputsOf(stage, call));
    if (!results) return false;
    const { engine, arena } = this.context;
    call.outputs.forEach((output, i) => {
      if (!output) return;
      const result = results[i] ?? refuseOutput(call, results);
      if (output.kind === 'host') {
        account()?.replace(output.value, result);
        this.#frame.set(output.value, result);
      } else copyIn(engine, addressOf(stage, arena.base, output), dataFor(call, output, result));
    });
    const { node, facts } = call.view;
    this.#timer?.stop(started, { node, provider: 'wasm', kernel: 'host', facts: () => facts, given: results });
    return true;
  }

  #inputsOf(stage: Stage, call: HostCall): (i: number) => HostValue {
    const inputs = call.inputs.map((source) => source && this.#read(stage, source));
    return (i) => inputs[i] as HostValue;
  }

  #iterate(stage: Stage, call: HostCall, budget: Budget | null): HostValue[] | null {
    this.#subgraphs ??= this.#subgraphCall(stage, call);
    const results = this.#subgraphs.advance(budget);
    if (results) this.#subgraphs = null;
    return results;
  }

  #subgraphCall(stage: Stage, call: HostCall): SubgraphCall {
    const outer = new Map(call.captured.map(({ value, source }) => [value, this.#read(stage, source)]));
    const iteration = iterateOnHost(call.view, this.#inputsOf(stage, call));
    return new SubgraphCall(call.view.node, iteration, outer, (graph) => this.#runnerOf(graph));
  }

  #runnerOf(graph: Graph): GraphRunner {
    const runner = this.#inner.get(graph) ?? new GraphRunner(nestedContext(this.context), graph);
    this.#inner.set(graph, runner);
    return runner;
  }
}

/** The data for `output`, which must have the planned type and shape. */
function dataFor({ view: { node } }: HostCall, output: Resident, result: HostValue): TypedArray {
  const given = isTensorValue(result) ? formatType(tensorType(result.type, result.dims)) : 'no tensor';
  const planned = formatType(tensorType(output.type, output.dims));
  if (given === planned) return (result as TensorValue).data as TypedArray;
  throw new SardonyxError('INTERNAL', `returned ${given} where ${planned} was planned`, {
    node: node.name,
    operator: node.op,
  });
}

/** Null is an absent optional; an output that is missing altogether is not computed by the node's subgraph. */
function refuseOutput({ view }: HostCall, results: readonly HostValue[]): null {
  if (results.length >= view.outputCount) return null;
  const missing = view.node.outputs[results.length]?.name;
  return view.fail(
    'INVALID_GRAPH',
    `has ${view.outputCount} outputs but computes ${results.length}; "${missing}" is never computed`,
  );
}

/** A subgraph has an arena of its own, because it runs while its caller's values are live. */
const nestedContext = (context: ExecutionContext): ExecutionContext => ({
  ...context,
  caching: undefined,
  arena: new Arena(context.engine),
});
