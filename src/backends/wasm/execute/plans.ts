import { account } from '../../../account.js';
import { operandsOf } from '../../../graph/captures.js';
import { Facts } from '../../../graph/facts.js';
import type { Graph, Node, Value } from '../../../graph/graph.js';
import { typeOf } from '../../../graph/host-types.js';
import { tensorType } from '../../../graph/types.js';
import { copyOf, type HostValue, isTensorValue, type TensorValue } from '../../../tensor/tensor-value.js';
import type { PlanningContext } from '../plan/context.js';
import { planStage } from '../plan/planner.js';
import { freeProgram } from '../plan/program.js';
import {
  factIn,
  factsLater,
  type Given,
  type GivenTensor,
  newVariants,
  type Rest,
  type Source,
  type Stage,
  type StageStart,
  type Variants,
} from '../plan/stage.js';
import { PlanCache } from './plan-cache.js';
import { hasShape, type Shape, shapeOf, signatureOf } from './signatures.js';

/** After plans for this many different contents, as of a loop counter, nodes that depend on them run on the host. */
const MAX_CONTENTS = 8;

/** The limit on traced stages that are tried at each new size, each with its guards, such as those of a prompt and a token. */
const MAX_MOVABLE = 8;

/** After as many stages that could not be traced, others for the same nodes are not tried. */
const MAX_UNTRACEABLE = 3;

/** The state of a run. */
export interface Run {
  /** The values that it holds outside linear memory. */
  readonly frame: ReadonlyMap<Value, HostValue>;
  /** Its stages so far. */
  readonly stages: readonly Stage[];
}

/** A demand for a stage: the tensors that it depends on, their sizes as a key, and how it is planned. */
interface Demand {
  readonly held: number;
  readonly given: Given;
  readonly key: () => string;
  readonly start: () => StageStart;
}

/**
 * The plans of one graph: a first stage, then a stage for each set of nodes that waits for computed sizes. Stages that
 * have been traced are moved to the sizes of a run, others are planned for each set of sizes.
 */
export class Plans {
  readonly #first = newVariants(null);
  readonly #cache: PlanCache;
  readonly #captured: ReadonlySet<Value>;
  /** The shapes of inputs and captures that `#lastStage` is for. */
  #lastShapes: (Shape | null)[] = [];
  #lastStage: Stage | undefined;

  constructor(
    private readonly context: PlanningContext,
    private readonly graph: Graph,
    private readonly captures: readonly Value[],
    private readonly run: Run,
  ) {
    this.#captured = new Set(captures);
    const isInUse = (stage: Stage) => stage === this.#lastStage || run.stages.includes(stage);
    this.#cache = new PlanCache(isInUse, (stage) => this.#free(stage), context.planBytes);
  }

  clear(): void {
    this.#cache.clear();
  }

  /** The first stage for the shapes of these inputs and of the captured values. */
  first(inputs: readonly (HostValue | undefined)[]): Stage {
    if (this.#lastStage && this.#sameShapes(inputs)) return this.#lastStage;
    const stage = this.#find(this.#first, {
      held: inputs.reduce((count, input) => count + (input === undefined ? 0 : 1), this.captures.length),
      given: (value) => this.#onHost(value),
      key: () => this.#signatures(this.#heldBy(inputs)),
      start: () => this.#firstStart(this.#heldBy(inputs)),
    });
    if (stage.slots.length > 0) this.#wantTracing();
    // So that the next run of the same shapes allocates nothing.
    this.#lastShapes = inputs.concat(this.captures.map((value) => this.run.frame.get(value))).map(shapeOf);
    this.#lastStage = stage;
    return stage;
  }

  /** The stage after one that has computed the values which it waits for; `read` reads them. */
  next(previous: Stage, read: (source: Source) => TensorValue): Stage {
    const rest = previous.rest as Rest;
    const evaluates = rest.canEvaluate && rest.contentsSeen >= MAX_CONTENTS;
    const observed = new Map((evaluates ? [] : rest.observed).map(({ value, source }) => [value, read(source)]));
    return this.#find(rest.variants, {
      held: rest.dynamic.length,
      given: (value) => observed.get(value) ?? (rest.onHost.has(value) ? this.#onHost(value) : known(previous, value)),
      key: () => {
        const contents = Array.from(observed.values(), ({ dims, data }) => `${dims}=${data}`);
        const moved = previous.movable?.sizes ?? '';
        return [moved, evaluates, ...contents, this.#signatures(rest.dynamic)].join(';');
      },
      start: () => {
        if (observed.size > 0) rest.contentsSeen++;
        return this.#laterStart(previous, rest, observed, evaluates);
      },
    });
  }

  #find(variants: Variants, demand: Demand): Stage {
    const moved = this.#move(variants, demand);
    if (moved) return moved;
    const key = demand.key();
    const known = variants.stages.get(key);
    if (known && (known.movable?.moveTo(demand.given) ?? true)) {
      this.#cache.use(known);
      return known;
    }
    if (known) this.#cache.drop(known);
    return (this.#trace(variants, demand.given) && this.#move(variants, demand)) || this.#plan(variants, key, demand);
  }

  /** Moves one of the traced stages to the demanded sizes, if their guards allow. */
  #move(variants: Variants, { held, given }: Demand): Stage | undefined {
    const moved = variants.movable.find(
      ({ blueprint, movable }) => blueprint.start.held.length === held && movable?.moveTo(given),
    );
    if (!moved) return undefined;
    if (moved !== variants.movable[0])
      variants.movable = [moved, ...variants.movable.filter((stage) => stage !== moved)];
    this.#cache.use(moved);
    return moved;
  }

  /** Traces the stage planned last when other sizes than its own first occur; false if it cannot be moved. */
  #trace(variants: Variants, given: Given): boolean {
    const { latest, varied } = variants;
    const { makeMovable, namesOfVarying } = this.context.tracing.functions;
    if (!latest) return false;
    this.#wantTracing();
    if (variants.isTraced || variants.untraceable >= MAX_UNTRACEABLE || !makeMovable) return false;
    variants.isTraced = true;
    for (const name of (varied && namesOfVarying?.(latest, given)) ?? []) varied?.add(name);
    latest.movable = makeMovable(this.context, latest, varied) ?? null;
    if (!latest.movable) {
      variants.untraceable++;
      return false;
    }
    // Stages that follow have been planned for its former sizes alone.
    this.#cache.dropAll(latest.rest?.variants);
    variants.movable = [latest, ...variants.movable].slice(0, MAX_MOVABLE);
    return true;
  }

  #wantTracing(): void {
    const { tracing } = this.context;
    tracing.isWanted ||= !tracing.functions.makeMovable;
  }

  #plan(variants: Variants, key: string, { start }: Demand): Stage {
    const stage = planStage(this.context, start(), variants.latest);
    account()?.keep(stage.contentsBytes);
    this.#cache.add(variants, key, stage);
    return stage;
  }

  /** A tensor that the run holds outside linear memory. */
  #onHost(value: Value): TensorValue | undefined {
    const host = this.run.frame.get(value);
    return isTensorValue(host) ? host : undefined;
  }

  #heldBy(inputs: readonly (HostValue | undefined)[]): Value[] {
    return [...this.graph.inputs.filter((_, i) => inputs[i] !== undefined), ...this.captures];
  }

  #signatures(values: readonly Value[]): string {
    return values.map((value) => signatureOf(this.run.frame.get(value) as HostValue, value)).join(';');
  }

  #sameShapes(inputs: readonly (HostValue | undefined)[]): boolean {
    const count = this.graph.inputs.length;
    for (let i = 0; i < count; i++) if (!hasShape(inputs[i], this.#lastShapes[i])) return false;
    for (let i = 0; i < this.captures.length; i++) {
      const captured = this.run.frame.get(this.captures[i] as Value);
      if (!hasShape(captured, this.#lastShapes[count + i])) return false;
    }
    return true;
  }

  #firstStart(held: readonly Value[]): StageStart {
    return {
      ...this.#common(new Facts(), held),
      nodes: this.graph.nodes,
      given: held,
      onHost: new Set(),
      resident: new Map(),
      evaluates: false,
    };
  }

  #laterStart(
    previous: Stage,
    { nodes, dynamic, onHost, resident }: Rest,
    observed: ReadonlyMap<Value, TensorValue>,
    evaluates: boolean,
  ): StageStart {
    const facts = factsLater(previous)().fork();
    // Copies, because the caller may change the tensors that it feeds.
    for (const [value, tensor] of observed)
      facts.set(value, { type: tensorType(tensor.type, tensor.dims), contents: copyOf(tensor) });
    const given = new Set([...observed.keys(), ...dynamic, ...varyingIn(previous, nodes, this.graph.outputs)]);
    return { ...this.#common(facts, dynamic), nodes, given: [...given], onHost, resident, evaluates };
  }

  #common(facts: Facts, held: readonly Value[]) {
    for (const value of held) facts.set(value, { type: typeOf(this.run.frame.get(value) as HostValue, value) });
    return { facts, held, outputs: this.graph.outputs, lasting: this.#captured };
  }

  #free(stage: Stage): void {
    if (stage === this.#lastStage) this.#lastStage = undefined;
    stage.program.constants.release();
    freeProgram(this.context.engine, this.context.arena, stage.program);
    account()?.hold(-stage.contentsBytes);
    account()?.keep(-stage.contentsBytes);
  }
}

/** A tensor that a stage has left, or computed before it ran. */
function known(stage: Stage, value: Value): GivenTensor | undefined {
  const { type, contents } = factIn(stage, value) ?? {};
  if (contents) return contents;
  return type?.kind === 'tensor' ? { type: type.element, dims: type.dims as readonly number[] } : undefined;
}

/** The values that these nodes or the graph's outputs read, and whose sizes or contents a stage has made others before. */
const varyingIn = ({ movable }: Stage, nodes: readonly Node[], outputs: readonly Value[]): Value[] =>
  movable ? [...nodes.flatMap(operandsOf), ...outputs].filter((value) => movable.varies(value)) : [];
