import { account } from '../../../account.js';
import { NodeView } from '../../../analysis/node-view.js';
import { subgraphsOf } from '../../../graph/captures.js';
import type { Facts } from '../../../graph/facts.js';
import type { Graph, Value } from '../../../graph/graph.js';
import { tensorType, type ValueType } from '../../../graph/types.js';
import { bytesOf } from '../../../tensor/stored-rows.js';
import { type HostValue, isTensorValue } from '../../../tensor/tensor-value.js';
import { Agreement } from './agreement.js';
import type { Moving, PlanningContext } from './context.js';
import { courseOf, type Foreseen, isOnCourse } from './foreseen.js';
import { freeProgram, tilesOf } from './program.js';
import { type Revised, replayed, revise } from './revise.js';
import { samePlace } from './revision.js';
import type { Row, Shape } from './row.js';
import { moveProgram, type Slopes, slopesOf } from './slopes.js';
import { type Finding, foldNode } from './specialize.js';
import type { BaseStage, Guard, ProgramSegment, Resident, Segment, Source, Stage } from './stage.js';

/** How many steps make it worth the plans that it is made of, and make what is rounded show between them that it is. */
const LEAST_STEPS = 8;

/** How many steps are foreseen with the next one. */
const FORESEEN_AHEAD = 15;

/** What is foreseen is kept for steps that come again, up to so many bytes. */
const MOST_FORESEEN_BYTES = 1 << 20;

/** An input as it is in the beginning, and what each of its sizes grows by. */
interface Line {
  readonly value: Value;
  readonly shape: Shape;
  readonly steps: readonly number[];
}

/** What is read where it lies, whose dims are other ones with each step. */
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
  readonly #contents = new Map<number, readonly Uint8Array[]>();
  #foreseenBytes = 0;

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
    private readonly segments: readonly Moved<ProgramSegment>[],
  ) {
    this.#facts = base.origin.start.facts.fork();
  }

  /** Along the first of some rows of shapes of the graph's inputs, in their order; undefined where in each something does not change by equal steps. */
  static from(context: PlanningContext, { inputs }: Graph, base: BaseStage, rows: readonly Row[]) {
    for (const row of rows) {
      const found = Progression.#along(context, inputs, base, row);
      if (found) return found;
    }
    return undefined;
  }

  static #along(
    context: PlanningContext,
    inputs: readonly Value[],
    base: BaseStage,
    row: Row,
  ): Progression | undefined {
    const lines = linesOf(inputs, base, row);
    const room = stepsWithin(base, lines);
    for (const steps of row.reaches) {
      const reach = Math.min(steps, room);
      const made = reach < LEAST_STEPS ? [] : madeAt([reach, 1, 2], context, base, lines);
      const [last, first, second] = made;
      const found = second && Progression.#between(context, base, lines, [first, second, last] as Made, reach);
      for (const { stage } of made) if (stage.program !== found?.stage.program) drop(context, stage);
      if (made.length > 0) return found;
    }
    return undefined;
  }

  static #between(
    context: PlanningContext,
    base: BaseStage,
    lines: readonly (Line | null)[],
    made: Made,
    reach: number,
  ): Progression | undefined {
    let moving: Progression | undefined;
    const [first, second, last] = made;
    if (![second, last].every((other) => touchesAlike(first, other))) return undefined;
    const foreseen = courseOf(base, made, reach);
    const outputs = foreseen && movingOutputs(made, reach);
    const guards = outputs && movingGuards(made, reach, (i) => moving?.guardNow(i));
    if (!foreseen || !outputs || !guards || !copiesAlike(made)) return undefined;
    const spans = foreseen.flatMap(({ table }) =>
      table ? [[table.offset, table.offset + table.capacity] as const] : [],
    );
    const slopes = slopesOf(context.engine, made, reach - 1, spans);
    if (!slopes) return undefined;
    const segments = first.stage.segments.map((segment): Moved<Segment> => ({ ...segment }));
    const facts = () => replayed(base, typesAt(lines, moving?.at ?? 1))();
    const origin = { kind: 'revised', base, facts } as const;
    const stage: Stage = { ...first.stage, segments, outputs: outputs.all, guards: guards.all, origin };
    const findings = findingsFor(
      foreseen.map(({ value }) => value),
      first.revision.found,
    );
    const endings = [...outputs.moving, ...guards.moving];
    const timed = slopes.areTilesMoved ? segments.filter((segment) => segment.kind === 'program') : [];
    moving = new Progression(context, stage, base, lines, reach, slopes, findings, foreseen, endings, timed);
    return moving;
  }

  /** A guard as it is for the sizes of now; what it says of them is wanted but seldom. */
  guardNow(i: number): Guard | undefined {
    const revised = revisedFor(this.context, this.base, typesAt(this.lines, this.#at));
    if (revised) drop(this.context, revised.stage);
    return revised?.stage.guards[i];
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
    const contents = this.#contents.get(step) ?? this.#foresee(step);
    if (!contents) return false;
    const { engine } = this.context;
    const { program } = this.stage;
    moveProgram(engine, program, this.slopes, this.#at - 1, step - 1);
    for (const segment of this.segments) segment.tiles = tilesOf(engine, program, segment.begin, segment.end);
    for (let i = 0; i < contents.length; i++) {
      const { table } = this.foreseen[i] as Foreseen;
      if (table) engine.u8.set(contents[i] as Uint8Array, program.address + table.offset);
    }
    showSizes(this.endings, step - 1);
    this.#at = step;
    return true;
  }

  /** What is computed for the next step is computed for some behind it, too: right after another, it takes less than half. */
  #foresee(step: number): readonly Uint8Array[] | undefined {
    const contents = this.#contentsAt(step);
    if (!contents || step !== this.#at + 1 || this.findings.length === 0) return contents;
    const last = Math.min(step + FORESEEN_AHEAD, this.reach);
    try {
      for (let next = step + 1; next <= last && !this.#contents.has(next); next++) this.#contentsAt(next);
    } catch {}
    return contents;
  }

  /** The bytes of what is foreseen; undefined where something is otherwise. */
  #contentsAt(step: number): Uint8Array[] | undefined {
    const facts = this.#facts;
    for (const line of this.lines)
      if (line?.steps.some((each) => each !== 0)) facts.set(line.value, { type: typeAt(line, step) });
    for (const finding of this.findings) if (!refind(finding, facts)) return undefined;
    for (const each of this.foreseen) if (!isOnCourse(each, facts, step)) return undefined;
    const contents = this.foreseen.map(({ value }) => bytesOf(facts.get(value)?.contents?.data as Uint8Array));
    this.#keep(step, contents);
    return contents;
  }

  #keep(step: number, contents: readonly Uint8Array[]): void {
    this.#foreseenBytes += contents.reduce((sum, { length }) => sum + length, 0);
    if (this.#foreseenBytes > MOST_FORESEEN_BYTES) return;
    this.#contents.set(step, contents);
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

/** Plans for some steps, as many as there are until one takes more than a revision, or does not change by equal steps. */
function madeAt(
  steps: readonly number[],
  context: PlanningContext,
  base: BaseStage,
  lines: readonly (Line | null)[],
): Revised[] {
  const agreement = new Agreement();
  const made: Revised[] = [];
  for (const step of steps) {
    const revised = revisedFor(context, base, typesAt(lines, step), agreement);
    if (revised) made.push(revised);
    if (!revised || !isEven(revised)) break;
  }
  return made;
}

/** What is wrong with sizes to come will be said when they come. */
function revisedFor(
  context: PlanningContext,
  base: BaseStage,
  types: ReadonlyMap<Value, ValueType>,
  agreement?: Agreement,
): Revised | undefined {
  try {
    const revised = revise(context, base, types, agreement);
    return 'stage' in revised ? revised : undefined;
  } catch {
    return undefined;
  }
}

function drop({ engine, arena }: PlanningContext, { program }: Stage): void {
  freeProgram(engine, arena, program);
  program.constants.release();
}

function linesOf(inputs: readonly Value[], { origin }: BaseStage, { shapes, steps }: Row): (Line | null)[] {
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

/** How many steps there is room for in caches: none where these become more matrices, or others. */
function stepsWithin({ slots }: BaseStage, lines: readonly (Line | null)[]): number {
  const rooms = slots.flatMap(({ kind, past, fresh, pitch }) => {
    const line = lines.find((each) => each?.value === past);
    if (kind !== 'grows' || !line) return [];
    if (line.steps.some((step, d) => step !== 0 && d !== line.steps.length - 2)) return [0];
    const step = line.steps.at(-2) ?? 0;
    return step > 0 ? [(pitch - fresh - (line.shape.dims.at(-2) as number)) / step] : [];
  });
  return Math.floor(Math.min(...rooms));
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
function isEven({ stage, revision }: Revised): boolean {
  const { changed, calls, found, relowered } = revision;
  if (stage.rest || calls.size > 0 || !found.every(isPlain)) return false;
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

/** What is written while a stage moves. */
type Moved<S> = { -readonly [K in keyof S]: S[K] };

/** All of some things that are read at the end, and those of which the dims move on. */
interface Endings<T> {
  readonly all: readonly T[];
  readonly moving: readonly Ending[];
}

/** Three sources, at the first, the second and the last size, as one that moves; undefined where they lie elsewhere, or on no line. */
function lineThrough(sources: readonly (Source | undefined)[], reach: number): Ending | undefined {
  const [first, second, last] = sources;
  if (first?.kind !== 'memory' || second?.kind !== 'memory' || last?.kind !== 'memory') return undefined;
  if (!samePlace(first.place, second.place) || !samePlace(first.place, last.place)) return undefined;
  const steps = first.dims.map((size, d) => (second.dims[d] as number) - size);
  const isOnLine = first.dims.every((size, d) => last.dims[d] === size + (steps[d] as number) * (reach - 1));
  return isOnLine ? { source: { ...first }, dims: first.dims, steps } : undefined;
}

/** `items` with sources of their own where these move on; undefined where one is on no line. */
function endingsOf<T extends { readonly source: Source }>(
  [first, ...others]: readonly [readonly T[], readonly T[], readonly T[]],
  reach: number,
  isMoving: (item: T) => boolean,
): Endings<T> | undefined {
  const moving: Ending[] = [];
  const all: T[] = [];
  for (const [i, item] of first.entries()) {
    const ending = isMoving(item)
      ? lineThrough(
          [item, others[0][i], others[1][i]].map((each) => each?.source),
          reach,
        )
      : null;
    if (ending === undefined) return undefined;
    if (ending) moving.push(ending);
    all.push(ending ? { ...item, source: ending.source as Resident } : item);
  }
  return { all, moving };
}

type Made = readonly [Revised, Revised, Revised];

const each = <T>([first, second, last]: Made, of: (stage: Stage) => T): readonly [T, T, T] => [
  of(first.stage),
  of(second.stage),
  of(last.stage),
];

const movingOutputs = (made: Made, reach: number): Endings<Stage['outputs'][number]> | undefined =>
  endingsOf(
    each(made, ({ outputs }) => outputs),
    reach,
    ({ value }) => made[0].revision.changed.has(value),
  );

/** Guards say of the sizes of now what is wrong with data. */
function movingGuards(made: Made, reach: number, now: (i: number) => Guard | undefined): Endings<Guard> | undefined {
  const found = endingsOf(
    each(made, ({ guards }) => guards),
    reach,
    () => true,
  );
  const all = found?.all.map(
    (guard, i): Guard => ({
      ...guard,
      complaint: (data) => (now(i) ?? guard).complaint(data),
    }),
  );
  return found && all && { all, moving: found.moving };
}

/** Whether inputs are copied to the same places whatever their sizes. */
function copiesAlike(made: Made): boolean {
  const [first, ...others] = each(made, ({ copies }) => copies);
  return first.every(({ target }, i) =>
    others.every((copies) => samePlace(target.place, (copies[i] as (typeof copies)[number]).target.place)),
  );
}
