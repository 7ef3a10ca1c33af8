import { account } from '../account.js';
import { Facts } from '../graph/facts.js';
import type { Graph, Node, Value } from '../graph/graph.js';
import { tensorType } from '../graph/types.js';
import { type PlanningContext, planStage } from '../plan/planner.js';
import { freeProgram } from '../plan/program.js';
import type { Rest, Source, Stage } from '../plan/stage.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';
import { PlanCache } from './plan-cache.js';
import { hasShape, type Shape, shapeOf, signatureOf, typeOf } from './signatures.js';

/** After plans for so many different contents, as of a loop's counter, what depends on them runs on the host. */
const MAX_CONTENTS = 8;

/** Stages kept per graph. */
const MAX_PLANS = 64;

/** What a run has come to. */
export interface Run {
  /** The values that it holds outside linear memory. */
  readonly frame: ReadonlyMap<Value, HostValue>;
  /** Its stages so far. */
  readonly stages: readonly Stage[];
}

/** The plans of one graph: a first stage for each set of input shapes, and what follows for each set of computed sizes. */
export class Plans {
  readonly #stages = new Map<string, Stage>();
  readonly #cache = new PlanCache(MAX_PLANS, (stage) => this.#free(stage));
  readonly #captured: ReadonlySet<Value>;
  /** Shapes of the inputs and captures that the last first stage is for. */
  #lastShapes: (Shape | null)[] = [];
  #lastStage: Stage | undefined;

  constructor(
    private readonly context: PlanningContext,
    private readonly graph: Graph,
    private readonly captures: readonly Value[],
    private readonly run: Run,
  ) {
    this.#captured = new Set(captures);
  }

  clear(): void {
    this.#cache.clear();
  }

  /** The stage for the shapes of these inputs and of what the frame holds. */
  first(inputs: readonly (HostValue | undefined)[]): Stage {
    if (this.#lastStage && this.#sameShapes(inputs)) return this.#lastStage;
    const held = [...this.graph.inputs.filter((_, i) => inputs[i] !== undefined), ...this.captures];
    const key = held.map((value) => signatureOf(this.run.frame.get(value) as HostValue, value)).join(';');
    const stage = this.#cache.get(this.#stages, key, this.run.stages, () => {
      const facts = new Facts();
      for (const value of held) facts.set(value, { type: typeOf(this.run.frame.get(value) as HostValue, value) });
      return this.#plan(this.graph.nodes, facts, held);
    });
    this.#lastShapes = [...inputs, ...this.captures.map((value) => this.run.frame.get(value))].map(shapeOf);
    this.#lastStage = stage;
    return stage;
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

  /** The stage after one that has computed what `rest` waits for, to be read by `read`. */
  next(rest: Rest, read: (source: Source) => TensorValue): Stage {
    const evaluates = rest.canEvaluate && rest.contentsSeen >= MAX_CONTENTS;
    const observed = evaluates ? [] : rest.observed;
    const known = observed.map(({ value, source }) => [value, read(source)] as const);
    const key = [
      evaluates,
      ...known.map(([, t]) => `${t.dims}=${t.data}`),
      ...rest.dynamic.map((v) => signatureOf(this.run.frame.get(v) as HostValue, v)),
    ];
    return this.#cache.get(rest.cache, key.join(';'), this.run.stages, () => {
      const facts = rest.facts.fork();
      for (const [value, contents] of known)
        facts.set(value, { type: tensorType(contents.type, contents.dims), contents });
      for (const value of rest.dynamic)
        facts.set(value, { type: typeOf(this.run.frame.get(value) as HostValue, value) });
      if (known.length > 0) rest.contentsSeen++;
      return this.#plan(rest.nodes, facts, rest.dynamic, rest, evaluates);
    });
  }

  #plan(nodes: readonly Node[], facts: Facts, held: readonly Value[], rest?: Rest, evaluates = false): Stage {
    const { resident = new Map(), onHost = new Set<Value>() } = rest ?? {};
    const { outputs } = this.graph;
    const lasting = this.#captured;
    const stage = planStage(this.context, { nodes, facts, held, onHost, resident, outputs, lasting, evaluates });
    account()?.keep(stage.contentsBytes);
    return stage;
  }

  #free(stage: Stage): void {
    if (stage === this.#lastStage) this.#lastStage = undefined;
    freeProgram(this.context.engine, this.context.arena, stage.program);
    account()?.hold(-stage.contentsBytes);
    account()?.keep(-stage.contentsBytes);
  }
}
