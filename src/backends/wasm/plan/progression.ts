import { account } from '../../../account.js';
import { NodeView } from '../../../analysis/node-view.js';
import { subgraphsOf } from '../../../graph/captures.js';
import type { Facts } from '../../../graph/facts.js';
import type { Graph, Value } from '../../../graph/graph.js';
import { tensorType, type ValueType } from '../../../graph/types.js';
import { bytesOf } from '../../../tensor/stored-rows.js';
import { type HostValue, isTensorValue } from '../../../tensor/tensor-value.js';
import type { Shape } from './ahead.js';
import type { Moving, PlanningContext } from './context.js';
import { courseOf, type Foreseen, isOnCourse } from './foreseen.js';
import { bufferOf } from './places.js';
import { freeProgram } from './program.js';
import { type Revised, replayed, revise } from './revise.js';
import { moveProgram, type Slopes, slopesOf } from './slopes.js';
import { type Finding, foldNode } from './specialize.js';
import type { BaseStage, Resident, Stage } from './stage.js';

/** How many steps one reaches at best, and to be worth the plans that it is made of. */
const [MOST_STEPS, LEAST_STEPS] = [64, 8];

/** An input as it is in the beginning, and what each of its sizes grows by. */
interface Line {
  readonly value: Value;
  readonly shape: Shape;
  readonly steps: readonly number[];
}

/** An output whose dims are other ones with each step. */
interface Ending {
  readonly source: { dims: readonly number[] };
  readonly dims: readonly number[];
  readonly steps: readonly number[];
}

/**
 * One stage for a row of sizes with equal steps between, as those of a cache that grows by a token: what varies with them are words of
 * its program, which move on by equal steps, and contents that follow from shapes, which are computed anew. It is made of
 * plans for the first two and the last of these sizes, so that whatever holds at both ends of a row holds between them.
 */
export class Progression implements Moving {
  #at = 1;
  readonly #facts: Facts;
  /** What is foreseen by steps, as far as they have come: at most as many folded tensors as it reaches. */
  readonly #contents: (readonly Uint8Array[] | undefined)[] = [];

  private constructor(
    private readonly context: PlanningContext,
    readonly stage: Stage,
    readonly base: BaseStage,
    private readonly lines: readonly (Line | null)[],
    private readonly reach: number,
    private readonly slopes: Slopes,
    private readonly findings: readonly Finding[],
    private readonly foreseen: readonly Foreseen[],
    private readonly endings: readonly Ending[],
  ) {
    this.#facts = base.origin.start.facts.fork();
  }

  /** From the shapes of these inputs on, those of the graph in their order; undefined where something does not change by equal steps. */
  static from(
    context: PlanningContext,
    { inputs }: Graph,
    base: BaseStage,
    shapes: readonly Shape[],
    steps: readonly number[],
  ): Progression | undefined {
    const lines = linesOf(inputs, base, shapes, steps);
    const made: Revised[] = [];
    const at = (step: number): Revised | undefined => {
      const revised = revisedFor(context, base, typesAt(lines, step));
      if (revised) made.push(revised);
      return revised;
    };
    const most = Math.min(MOST_STEPS, stepsWithin(base, lines));
    const first = most >= LEAST_STEPS ? at(1) : undefined;
    const isMoving = first && isEven(base, first);
    const second = isMoving && at(2);
    const reach = second && [most, most >> 1].find((steps) => at(steps));
    const found =
      second && reach
        ? Progression.#between(context, base, lines, [first, second, made[2] as Revised], reach)
        : undefined;
    for (const { stage } of made) if (stage.program !== found?.stage.program) drop(context, stage);
    return found;
  }

  static #between(
    context: PlanningContext,
    base: BaseStage,
    lines: readonly (Line | null)[],
    made: readonly [Revised, Revised, Revised],
    reach: number,
  ): Progression | undefined {
    const [first, second, last] = made;
    if (![second, last].every((other) => touchesAlike(first, other))) return undefined;
    const foreseen = courseOf(base, made, reach);
    const endings = foreseen && endingsOf(made, reach);
    if (!foreseen || !endings) return undefined;
    const spans = foreseen.flatMap(({ table }) =>
      table ? [[table.offset, table.offset + table.capacity] as const] : [],
    );
    const programs = [first.stage.program, second.stage.program, last.stage.program] as const;
    const slopes = slopesOf(context.engine, programs, reach - 1, spans);
    if (!slopes) return undefined;
    const outputs = first.stage.outputs.map((output, i) => ({ ...output, source: endings.sources[i] as Resident }));
    let moving: Progression | undefined;
    const facts = () => replayed(base, typesAt(lines, moving?.at ?? 1))();
    const stage: Stage = { ...first.stage, outputs, origin: { kind: 'revised', base, facts } };
    const findings = findingsFor(
      foreseen.map(({ value }) => value),
      first.revision.found,
    );
    moving = new Progression(context, stage, base, lines, reach, slopes, findings, foreseen, endings.moving);
    return moving;
  }

  /** The step that the stage is for. */
  get at(): number {
    return this.#at;
  }

  get shapes(): Shape[] {
    return this.lines.flatMap((line) => (line ? [shapeAt(line, this.#at)] : []));
  }

  moveTo(inputs: readonly (HostValue | undefined)[]): boolean {
    const step = this.#stepOf(inputs);
    return step !== undefined && (step === this.#at || (!account() && this.#move(step)));
  }

  #stepOf(inputs: readonly (HostValue | undefined)[]): number | undefined {
    let step: number | undefined;
    for (let i = 0; i < this.lines.length; i++) {
      const line = this.lines[i];
      const input = inputs[i];
      if (!line !== (input === undefined)) return undefined;
      if (!line) continue;
      const { shape, steps } = line;
      if (!isTensorValue(input) || input.type !== shape.type || input.dims.length !== steps.length) return undefined;
      for (let d = 0; d < steps.length; d++) {
        const more = (input.dims[d] as number) - (shape.dims[d] as number);
        if (steps[d] !== 0) step ??= more / (steps[d] as number);
        if (more !== (steps[d] as number) * (step ?? 0)) return undefined;
      }
    }
    return step !== undefined && Number.isInteger(step) && step >= 1 && step <= this.reach ? step : undefined;
  }

  #move(step: number): boolean {
    const contents = this.#contents[step] ?? this.#contentsAt(step);
    if (!contents) return false;
    this.#contents[step] = contents;
    const { engine } = this.context;
    const { program } = this.stage;
    moveProgram(engine, program, this.slopes, step - this.#at);
    for (let i = 0; i < contents.length; i++) {
      const { table } = this.foreseen[i] as Foreseen;
      if (table) engine.u8.set(contents[i] as Uint8Array, program.address + table.offset);
    }
    showSizes(this.endings, step - 1);
    this.#at = step;
    return true;
  }

  /** The bytes of what is foreseen; undefined where something is otherwise. */
  #contentsAt(step: number): Uint8Array[] | undefined {
    const facts = this.#facts;
    for (const line of this.lines)
      if (line?.steps.some((each) => each !== 0)) facts.set(line.value, { type: typeAt(line, step) });
    for (const finding of this.findings) if (!refind(finding, facts)) return undefined;
    for (const each of this.foreseen) if (!isOnCourse(each, facts, step)) return undefined;
    return this.foreseen.map(({ value }) => bytesOf(facts.get(value)?.contents?.data as Uint8Array));
  }

  release(): void {
    drop(this.context, this.stage);
  }
}

/** Gives outputs their dims of so many steps on; those of the layers of a network share them. */
function showSizes(endings: readonly Ending[], by: number): void {
  let last: readonly number[] = [];
  for (const { source, dims, steps } of endings) {
    const size = (d: number) => (dims[d] as number) + (steps[d] as number) * by;
    if (dims.length !== last.length || !dims.every((_, d) => last[d] === size(d)))
      last = Object.freeze(dims.map((_, d) => size(d)));
    source.dims = last;
  }
}

/** What is wrong with sizes to come will be said when they come. */
function revisedFor(context: PlanningContext, base: BaseStage, types: ReadonlyMap<Value, ValueType>) {
  try {
    const revised = revise(context, base, types);
    return 'stage' in revised ? revised : undefined;
  } catch {
    return undefined;
  }
}

function drop({ engine, arena }: PlanningContext, { program }: Stage): void {
  freeProgram(engine, arena, program);
  program.constants.release();
}

function linesOf(
  inputs: readonly Value[],
  { origin }: BaseStage,
  shapes: readonly Shape[],
  steps: readonly number[],
): (Line | null)[] {
  const { held } = origin.start;
  let size = 0;
  return inputs.map((value) => {
    const shape = shapes[held.indexOf(value)];
    if (!shape) return null;
    const from = size;
    size += shape.dims.length;
    return { value, shape, steps: steps.slice(from, size) };
  });
}

/** How many steps there is room for in caches. */
function stepsWithin({ slots }: BaseStage, lines: readonly (Line | null)[]): number {
  const rooms = slots.flatMap(({ kind, past, fresh, pitch }) => {
    const line = lines.find((each) => each?.value === past);
    const step = line?.steps.at(-2) ?? 0;
    return kind === 'grows' && line && step > 0 ? [(pitch - fresh - (line.shape.dims.at(-2) as number)) / step] : [];
  });
  return Math.floor(Math.min(...rooms, MOST_STEPS));
}

const shapeAt = ({ shape: { type, dims }, steps }: Line, step: number): Shape => ({
  type,
  dims: dims.map((size, d) => size + (steps[d] as number) * step),
});

function typeAt(line: Line, step: number): ValueType {
  const { type, dims } = shapeAt(line, step);
  return tensorType(type, dims);
}

const typesAt = (lines: readonly (Line | null)[], step: number): ReadonlyMap<Value, ValueType> =>
  new Map(lines.flatMap((line) => (line ? [[line.value, typeAt(line, step)] as const] : [])));

/** Whether all that a revision has lowered again says that it changes by equal steps, and the host does nothing else. */
function isEven(base: BaseStage, { stage, revision }: Revised): boolean {
  const { changed, guards, calls, found, relowered } = revision;
  const isLeft = base.copies.some(({ value }) => changed.has(value)) || guards.size > 0 || calls.size > 0;
  if (stage.rest || isLeft || !found.every(isPlain)) return false;
  return relowered.every(
    ({ node, operands, looked, isEven }) =>
      isEven ||
      !(revision.matters(node, operands, looked) || node.outputs.some((value) => value && changed.has(value))),
  );
}

const isPlain = ({ node, outcome }: Finding): boolean =>
  subgraphsOf(node).length === 0 &&
  (outcome.kind === 'folded' || (outcome.kind === 'runnable' && outcome.dynamic.length === 0));

/** Whether two revisions have looked at the same nodes, and found the same values to be others. */
function touchesAlike({ revision: a }: Revised, { revision: b }: Revised): boolean {
  return isSame(a.found, b.found) && isSame(a.relowered, b.relowered) && isSame([...a.changed], [...b.changed]);
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i]);

/** Of what is found, that which `values` follow from. */
function findingsFor(values: readonly Value[], found: readonly Finding[]): Finding[] {
  const needed = new Set(values);
  const needs = ({ node, operands }: Finding) => {
    if (!node.outputs.some((value) => value && needed.has(value))) return false;
    for (const value of operands) needed.add(value);
    return true;
  };
  return found.toReversed().filter(needs).reverse();
}

function refind({ node, outcome }: Finding, facts: Facts): boolean {
  const view = new NodeView(node, facts);
  if (outcome.kind === 'folded') return foldNode(view);
  const types = view.outputTypes();
  for (const [i, value] of node.outputs.entries()) {
    const type = types[i];
    if (value && type) facts.set(value, { type });
  }
  return true;
}

/** The sources of outputs, and those whose dims move on; undefined where one is not in a place that each run says, or on no line. */
function endingsOf(made: readonly [Revised, Revised, Revised], reach: number) {
  const [first, second, last] = made.map(({ stage }) => stage.outputs) as [Outputs, Outputs, Outputs];
  const { changed } = made[0].revision;
  const moving: Ending[] = [];
  const sources: Stage['outputs'][number]['source'][] = [];
  for (const [i, { value, source }] of first.entries()) {
    if (!changed.has(value)) {
      sources.push(source);
      continue;
    }
    const [other, end] = [second[i]?.source, last[i]?.source];
    if (source.kind !== 'memory' || other?.kind !== 'memory' || end?.kind !== 'memory') return undefined;
    const steps = source.dims.map((size, d) => (other.dims[d] as number) - size);
    const isOnLine = source.dims.every((size, d) => end.dims[d] === size + (steps[d] as number) * (reach - 1));
    if (!isOnLine || !bufferOf(source.place)?.slot) return undefined;
    const own = { ...source };
    sources.push(own);
    moving.push({ source: own, dims: source.dims, steps });
  }
  return { sources, moving };
}

type Outputs = Stage['outputs'];
