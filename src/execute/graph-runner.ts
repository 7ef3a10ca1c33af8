import { SardonyxError } from '../errors.js';
import { capturesOf } from '../graph/captures.js';
import { Facts } from '../graph/facts.js';
import type { Graph, Node, Value } from '../graph/graph.js';
import { formatType, ofAnyShape, tensorType, type ValueType } from '../graph/types.js';
import { evaluateOnHost } from '../ops/evaluate.js';
import { Arena } from '../plan/arena.js';
import { type PlanningContext, planStage } from '../plan/planner.js';
import { freeProgram } from '../plan/program.js';
import type { CopyIn, HostCall, Resident, Rest, Segment, Source, Stage } from '../plan/stage.js';
import type { TypedArray } from '../tensor/element-types.js';
import { detached, type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';
import { GuardedSteps } from './guarded-steps.js';
import { typeOfHost } from './host-types.js';
import { addressesOf, addressOf, copyIn, copyInto, copyOut, copyTensorInto, type OutputPlace } from './memory.js';
import type { StepTimer } from './profile.js';

/** Plans kept per graph and per stage; beyond that the one used least recently is dropped. */
const MAX_PLANS = 32;

/** Runs one graph; plans are kept per set of input shapes. */
export class GraphRunner {
  readonly #plans = new Map<string, Stage>();
  readonly #frame = new Map<Value, HostValue>();
  readonly #inner = new Map<Graph, GraphRunner>();
  readonly #captures: readonly Value[];
  readonly #guarded: GuardedSteps | null;
  #lastDims: (readonly number[] | null)[] = [];
  readonly #ran: Stage[] = [];
  #lastStage: Stage | undefined;
  /** A subgraph's results stay among the values of a run; only the caller's own need data of their own. */
  #isNested = false;
  timer: StepTimer | null = null;

  constructor(
    private readonly context: PlanningContext,
    readonly graph: Graph,
  ) {
    this.#captures = capturesOf(graph);
    this.#guarded = context.guardBytes > 0 ? new GuardedSteps(context.guardBytes) : null;
  }

  /**
   * `inputs` by position of the graph's inputs; `undefined` takes an input's default. `targets` are arrays that an
   * output of that position is written into.
   */
  run(
    inputs: readonly (HostValue | undefined)[],
    outer?: ReadonlyMap<Value, HostValue>,
    targets?: readonly (TypedArray | undefined)[],
  ): HostValue[] {
    const { graph } = this;
    const frame = this.#frame;
    this.#isNested = outer !== undefined;
    for (let i = 0; i < graph.inputs.length; i++) {
      const input = inputs[i];
      if (input !== undefined) frame.set(graph.inputs[i] as Value, input);
    }
    for (const value of this.#captures) frame.set(value, outer?.get(value) as HostValue);
    const outputs: HostValue[] = new Array(graph.outputs.length);
    this.#ran.length = 0;
    for (let stage: Stage | null = this.#firstStage(inputs); stage; ) {
      this.#ran.push(stage);
      this.#runStage(stage, outputs, targets);
      stage = stage.rest && this.#nextStage(stage, stage.rest);
    }
    return outputs;
  }

  /** The stages of the last run, in order. */
  get lastStages(): readonly Stage[] {
    return this.#ran;
  }

  /** Bytes of the whole linear memory. */
  get linearMemory(): number {
    return this.context.engine.memory.buffer.byteLength;
  }

  release(): void {
    for (const stage of this.#plans.values()) this.#drop(stage);
    for (const runner of this.#inner.values()) runner.release();
    this.#plans.clear();
  }

  /** Whether every node has been planned in the last run. */
  get isWhole(): boolean {
    return this.#ran.at(-1)?.rest === null;
  }

  #firstStage(inputs: readonly (HostValue | undefined)[]): Stage {
    if (this.#lastStage && this.#sameShapes(inputs)) return this.#lastStage;
    const held = [...this.graph.inputs.filter((_, i) => inputs[i] !== undefined), ...this.#captures];
    const key = held.map((value) => signatureOf(this.#frame.get(value) as HostValue, value)).join(';');
    const stage = this.#cached(this.#plans, key, () => {
      const facts = new Facts();
      for (const value of held) facts.set(value, { type: typeOf(this.#frame.get(value) as HostValue, value) });
      return this.#plan(this.graph.nodes, facts, held);
    });
    if (this.#captures.length === 0) {
      this.#lastDims = inputs.map((input) => (isTensorValue(input) ? [...input.dims] : null));
      this.#lastStage = stage;
    }
    return stage;
  }

  #sameShapes(inputs: readonly (HostValue | undefined)[]): boolean {
    for (let i = 0; i < inputs.length; i++) {
      const dims = (inputs[i] as TensorValue | undefined)?.dims;
      const last = this.#lastDims[i];
      if (!last || dims?.length !== last.length) return false;
      for (let d = 0; d < dims.length; d++) if (dims[d] !== last[d]) return false;
    }
    return true;
  }

  #nextStage(stage: Stage, rest: Rest): Stage {
    const known = rest.observed.map(({ value, source }) => [value, this.#read(stage, source) as TensorValue] as const);
    const key = [
      ...known.map(([, t]) => `${t.dims}=${t.data}`),
      ...rest.dynamic.map((v) => signatureOf(this.#frame.get(v) as HostValue, v)),
    ];
    return this.#cached(rest.cache, key.join(';'), () => {
      const facts = rest.facts.fork();
      for (const [value, contents] of known)
        facts.set(value, { type: tensorType(contents.type, contents.dims), contents });
      for (const value of rest.dynamic) facts.set(value, { type: typeOf(this.#frame.get(value) as HostValue, value) });
      return this.#plan(rest.nodes, facts, rest.dynamic, rest);
    });
  }

  #plan(nodes: readonly Node[], facts: Facts, held: readonly Value[], rest?: Rest): Stage {
    const { resident = new Map(), onHost = new Set<Value>() } = rest ?? {};
    return planStage(this.context, { nodes, facts, held, onHost, resident, outputs: this.graph.outputs });
  }

  #cached(plans: Map<string, Stage>, key: string, make: () => Stage): Stage {
    const known = plans.get(key);
    if (known) {
      plans.delete(key);
      plans.set(key, known);
      return known;
    }
    const made = make();
    const [oldest] = plans;
    if (plans.size >= MAX_PLANS && oldest) {
      plans.delete(oldest[0]);
      this.#drop(oldest[1]);
    }
    plans.set(key, made);
    return made;
  }

  #drop(stage: Stage): void {
    if (stage === this.#lastStage) this.#lastStage = undefined;
    freeProgram(this.context.engine, this.context.arena, stage.program);
    for (const next of stage.rest?.cache.values() ?? []) this.#drop(next);
  }

  /** Runs on every call: indexed loops, addresses computed once, nothing allocated but results. */
  #runStage(stage: Stage, outputs: HostValue[], targets?: readonly (TypedArray | undefined)[]): void {
    const { engine, arena } = this.context;
    const steps = this.timer ?? this.#guarded;
    const { copies, segments, program } = stage;
    const addresses = addressesOf(stage, arena.base);
    if (stage.guards.length > 0) this.#resetGuards(stage);
    for (let i = 0; i < copies.length; i++) {
      const tensor = this.#frame.get((copies[i] as CopyIn).value) as TensorValue;
      copyIn(engine, addresses.copies[i] as number, tensor.data as TypedArray);
    }
    for (let i = 0; i < segments.length; i++) {
      const segment = segments[i] as Segment;
      if (segment.kind === 'host') this.#call(stage, segment.call);
      else if (steps) steps.runSteps(engine, stage, arena.base, segment.begin, segment.end);
      else engine.run(program.address, segment.begin, segment.end);
    }
    if (stage.guards.length > 0) this.#check(stage);
    for (let i = 0; i < stage.outputs.length; i++) {
      const { index, source } = stage.outputs[i] as Stage['outputs'][number];
      const target = targets?.[index];
      if (source.kind !== 'memory') outputs[index] = this.#hostOutput(source, target);
      else if (target) copyInto(engine, addresses.outputs[i] as OutputPlace, target);
      else outputs[index] = copyOut(engine, (addresses.outputs[i] as OutputPlace).address, source);
    }
  }

  /** A run that failed may have left them set. */
  #resetGuards({ guards, program }: Stage): void {
    for (const { word } of guards) this.context.engine.i32[(program.address + word.offset) / 4] = 0;
  }

  /** Fails where a launch has met invalid data. */
  #check({ guards, program }: Stage): void {
    const { i32 } = this.context.engine;
    const met = guards.find(({ word }) => i32[(program.address + word.offset) / 4] !== 0);
    if (!met) return;
    throw new SardonyxError('INVALID_VALUE', met.message, { node: met.node.name, operator: met.node.op });
  }

  #read(stage: Stage, source: Source): HostValue {
    if (source.kind === 'contents') return source.contents;
    if (source.kind === 'host') return this.#frame.get(source.value) as HostValue;
    return copyOut(this.context.engine, addressOf(stage, this.context.arena.base, source), source);
  }

  /** An output that is no part of linear memory; the caller of the session gets data of its own. */
  #hostOutput(source: Exclude<Source, Resident>, target: TypedArray | undefined): HostValue {
    const value = source.kind === 'contents' ? source.contents : (this.#frame.get(source.value) as HostValue);
    if (target) copyTensorInto(value, target);
    return target || this.#isNested ? value : detached(value);
  }

  #call(stage: Stage, call: HostCall): void {
    const started = this.timer?.start();
    const inputs = call.inputs.map((source) => source && this.#read(stage, source));
    const outer = new Map(call.captured.map(({ value, source }) => [value, this.#read(stage, source)]));
    const results = evaluateOnHost(
      call.view,
      (i) => inputs[i] as HostValue,
      (graph, values) => this.#runnerOf(graph).run(values, outer),
    );
    const { engine, arena } = this.context;
    call.outputs.forEach((output, i) => {
      if (!output) return;
      const result = results[i] as HostValue;
      if (output.kind === 'host') this.#frame.set(output.value, result);
      else copyIn(engine, addressOf(stage, arena.base, output), dataFor(call, output, result));
    });
    if (started !== undefined) this.timer?.stop(started, call.view.node, 'host');
  }

  #runnerOf(graph: Graph): GraphRunner {
    const runner = this.#inner.get(graph) ?? new GraphRunner(nestedContext(this.context), graph);
    this.#inner.set(graph, runner);
    return runner;
  }
}

/** The data that go to `output`; they must be what the plan made room for. */
function dataFor({ view: { node } }: HostCall, output: Resident, result: HostValue): TypedArray {
  const given = isTensorValue(result) ? formatType(tensorType(result.type, result.dims)) : 'no tensor';
  const planned = formatType(tensorType(output.type, output.dims));
  if (given === planned) return (result as TensorValue).data as TypedArray;
  throw new SardonyxError('INTERNAL', `gave ${given} where ${planned} was planned`, {
    node: node.name,
    operator: node.op,
  });
}

/** A subgraph runs while its caller's values are live: it has an arena of its own. */
const nestedContext = (context: PlanningContext): PlanningContext => ({ ...context, arena: new Arena(context.engine) });

/** What a plan depends on of a host value. */
const signatureOf = (host: HostValue, value: Value): string =>
  isTensorValue(host) ? `${host.type}[${host.dims}]` : `${formatType(typeOf(host, value))}${host === null ? '?' : ''}`;

/** Of what is no tensor, the declared type tells what an empty value does not; but elements may have other shapes. */
function typeOf(host: HostValue, { type }: Value): ValueType {
  if (isTensorValue(host)) return tensorType(host.type, host.dims);
  return type && type.kind !== 'tensor' ? ofAnyShape(type) : ofAnyShape(typeOfHost(host));
}
