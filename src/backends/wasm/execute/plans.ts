import { account } from '../../../account.js';
import { Facts } from '../../../graph/facts.js';
import type { Graph, Node, Value } from '../../../graph/graph.js';
import { typeOf } from '../../../graph/host-types.js';
import { tensorType, type ValueType } from '../../../graph/types.js';
import type { HostValue, TensorValue } from '../../../tensor/tensor-value.js';
import type { Moving, PlanningContext } from '../plan/context.js';
import type { Variation } from '../plan/draft.js';
import { planStage } from '../plan/planner.js';
import { freeProgram } from '../plan/program.js';
import { type BaseStage, isBase, type Rest, type Source, type Stage } from '../plan/stage.js';
import { PlanCache } from './plan-cache.js';
import { hasShape, type Shape, shapeOf, signatureOf } from './signatures.js';

/** After plans for this many different contents, as of a loop counter, nodes that depend on them run on the host. */
const MAX_CONTENTS = 8;

/** The number of traced stages to keep, each with its guards, such as those of a prompt and of a token. */
const MAX_MOVINGS = 8;

/** The state of a run. */
export interface Run {
  /** The values that it holds outside linear memory. */
  readonly frame: ReadonlyMap<Value, HostValue>;
  /** Its stages so far. */
  readonly stages: readonly Stage[];
}

/** The plans of one graph: a first stage for each set of input shapes, then a stage for each set of computed sizes. */
export class Plans {
  readonly #stages = new Map<string, Stage>();
  readonly #cache: PlanCache;
  /** The number of kept stages that share the constants of a base, itself included. */
  readonly #revisions = new Map<Stage, number>();
  readonly #captured: ReadonlySet<Value>;
  /** The shapes of inputs and captures that `#lastStage` is for. */
  #lastShapes: (Shape | null)[] = [];
  #lastStage: Stage | undefined;
  /** The first stage that was planned last; stages for other shapes are derived from it. */
  #base: BaseStage | undefined;
  /** Stages that can be moved to other sizes, the most recently used first. */
  #movings: readonly Moving[] = [];
  readonly #traced = new WeakSet<BaseStage>();

  constructor(
    private readonly context: PlanningContext,
    private readonly graph: Graph,
    private readonly captures: readonly Value[],
    private readonly run: Run,
  ) {
    this.#captured = new Set(captures);
    const isInUse = (stage: Stage) => stage === this.#base || stage === this.#lastStage || run.stages.includes(stage);
    this.#cache = new PlanCache(isInUse, (stage) => this.#free(stage), context.planBytes);
  }

  clear(): void {
    for (const moving of this.#movings) this.#end(moving);
    this.#movings = [];
    this.#base = undefined;
    this.#cache.clear();
  }

  /** The first stage for the shapes of these inputs and of the captured values. */
  first(inputs: readonly (HostValue | undefined)[]): Stage {
    if (this.#lastStage && this.#sameShapes(inputs)) return this.#lastStage;
    const stage = this.#moved(inputs);
    if (!stage) return this.#found(inputs);
    this.#lastStage = stage;
    // So that the next run of the same shapes allocates nothing.
    this.#lastShapes = inputs.map(shapeOf);
    return stage;
  }

  #moved(inputs: readonly (HostValue | undefined)[]): Stage | undefined {
    const moved = this.#movings.find((each) => each.moveTo(inputs));
    if (moved && moved !== this.#movings[0]) this.#movings = [moved, ...this.#movings.filter((each) => each !== moved)];
    return moved?.stage;
  }

  #found(inputs: readonly (HostValue | undefined)[]): Stage {
    const held = [...this.graph.inputs.filter((_, i) => inputs[i] !== undefined), ...this.captures];
    const hosts = held.map((value) => this.run.frame.get(value) as HostValue);
    const key = hosts.map((host, i) => signatureOf(host, held[i] as Value)).join(';');
    const isNew = !this.#stages.has(key);
    const moved = isNew && this.#beginMoving() ? this.#moved(inputs) : undefined;
    const stage = moved ?? this.#cache.get(this.#stages, key, () => this.#newFirst(held));
    const frame = inputs.concat(this.captures.map((value) => this.run.frame.get(value)));
    this.#lastShapes = frame.map(shapeOf);
    this.#lastStage = stage;
    return stage;
  }

  /** Traces the base when other sizes than its own first occur; false if it cannot be moved. */
  #beginMoving(): boolean {
    const base = this.#base;
    const { beginMoving } = this.context.revising;
    if (!base || !beginMoving || this.#traced.has(base) || this.captures.length > 0 || account()) return false;
    this.#traced.add(base);
    const begun = beginMoving(this.context, this.graph, base);
    if (!begun) return false;
    this.#count(base, 1);
    const all = [begun, ...this.#movings];
    this.#movings = all.slice(0, MAX_MOVINGS);
    for (const moving of all.slice(MAX_MOVINGS)) this.#end(moving);
    return true;
  }

  #end(moving: Moving): void {
    if (this.#lastStage === moving.stage) this.#lastStage = undefined;
    moving.release();
    this.#count(moving.base, -1);
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

  #newFirst(held: readonly Value[]): Stage {
    const types = new Map(held.map((value) => [value, typeOf(this.run.frame.get(value) as HostValue, value)]));
    const revised = this.#revised(types);
    if (revised && 'program' in revised) return revised;
    const facts = new Facts();
    for (const [value, type] of types) facts.set(value, { type });
    const stage = this.#plan(this.graph.nodes, facts, held, undefined, false, revised);
    if (stage.slots.length > 0) this.context.revising.isWanted ||= !this.context.revising.reviseStage;
    this.#base = isBase(stage) ? stage : undefined;
    return stage;
  }

  /** The base revised for other types; the variation if these need another plan; undefined if there is no base. */
  #revised(types: ReadonlyMap<Value, ValueType>): Stage | Variation | undefined {
    const { revising } = this.context;
    const base = this.#base;
    if (!base) return undefined;
    revising.isWanted ||= !revising.reviseStage;
    // Until the function is loaded, everything that depends on these types is assumed to vary.
    const revised = revising.reviseStage?.(this.context, base, types) ?? { values: types.keys(), facts: new Facts() };
    if (!('program' in revised)) return revised;
    this.#count(base, 1);
    return this.#keep(revised);
  }

  /** The stage after one that has computed the values which `rest` waits for; `read` reads them. */
  next(rest: Rest, read: (source: Source) => TensorValue): Stage {
    const evaluates = rest.canEvaluate && rest.contentsSeen >= MAX_CONTENTS;
    const observed = evaluates ? [] : rest.observed;
    const known = observed.map(({ value, source }) => [value, read(source)] as const);
    const key = [
      evaluates,
      ...known.map(([, t]) => `${t.dims}=${t.data}`),
      ...rest.dynamic.map((v) => signatureOf(this.run.frame.get(v) as HostValue, v)),
    ];
    return this.#cache.get(rest.cache, key.join(';'), () => {
      const facts = rest.facts.fork();
      for (const [value, contents] of known)
        facts.set(value, { type: tensorType(contents.type, contents.dims), contents });
      for (const value of rest.dynamic)
        facts.set(value, { type: typeOf(this.run.frame.get(value) as HostValue, value) });
      if (known.length > 0) rest.contentsSeen++;
      return this.#plan(rest.nodes, facts, rest.dynamic, rest, evaluates);
    });
  }

  #plan(
    nodes: readonly Node[],
    facts: Facts,
    held: readonly Value[],
    rest?: Rest,
    evaluates = false,
    variation?: Variation,
  ): Stage {
    const { resident = new Map(), onHost = new Set<Value>() } = rest ?? {};
    const { outputs } = this.graph;
    const lasting = this.#captured;
    const start = { nodes, facts, held, onHost, resident, outputs, lasting, evaluates };
    return this.#keep(planStage(this.context, start, variation));
  }

  #keep(stage: Stage): Stage {
    account()?.keep(stage.contentsBytes);
    return stage;
  }

  #free(stage: Stage): void {
    if (stage === this.#lastStage) this.#lastStage = undefined;
    if (isBase(stage)) this.#count(stage, -1);
    else if (stage.origin.kind === 'revised') {
      this.#count(stage.origin.base, -1);
      stage.program.constants.release();
    }
    freeProgram(this.context.engine, this.context.arena, stage.program);
    account()?.hold(-stage.contentsBytes);
    account()?.keep(-stage.contentsBytes);
  }

  /** Frees the constants of a base when it and the last of its revisions are dropped. */
  #count(base: Stage, more: number): void {
    const count = (this.#revisions.get(base) ?? 1) + more;
    if (count > 0) this.#revisions.set(base, count);
    else {
      this.#revisions.delete(base);
      base.program.constants.release();
    }
  }
}
