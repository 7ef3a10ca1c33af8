import { account } from '../../../account.js';
import { subgraphsOf } from '../../../graph/captures.js';
import type { Graph, Value } from '../../../graph/graph.js';
import type { ValueType } from '../../../graph/types.js';
import { bytesOf } from '../../../tensor/stored-rows.js';
import type { HostValue } from '../../../tensor/tensor-value.js';
import { Agreement } from './agreement.js';
import type { Moving, PlanningContext } from './context.js';
import { type Ending, movingGuards, movingOutputs, showSizes } from './endings.js';
import { sameItems } from './facts-alike.js';
import { courseOf, type Foreseen } from './foreseen.js';
import { Foresight } from './foresight.js';
import { type Formed, formedAt, formedThrough } from './formulas.js';
import { type Line, linesOf, placeOf, shapeAt, stepsWithin, typesAt } from './lines.js';
import { behindFirst, cornersOf, monomialsAt } from './multi-affine.js';
import type { Table } from './places.js';
import { freeProgram, tilesOf } from './program.js';
import { type Renewal, renewalOf, renewedAt } from './renewal.js';
import { type Revised, replayed, revise } from './revise.js';
import { rewrite } from './revise-program.js';
import { type Revision, samePlace } from './revision.js';
import type { Row, Shape } from './row.js';
import { moveProgram, type Slopes, slopesOf, spanOfTable, spansOf } from './slopes.js';
import type { Finding } from './specialize.js';
import type { BaseStage, Guard, Lowered, ProgramSegment, Segment, Stage } from './stage.js';

/** How many steps make it worth the plans that it is made of, and make what is rounded show between them that it is. */
const LEAST_STEPS = 8;

/** What is written while a stage moves. */
type Moved<S> = { -readonly [K in keyof S]: S[K] };

/** What moves a stage along. */
interface Course {
  readonly lines: readonly (Line | null)[];
  readonly reach: readonly number[];
  readonly slopes: Slopes;
  readonly renewal: Renewal;
  readonly formed: readonly Formed[];
  readonly agreement: Agreement;
  readonly foresight: Foresight;
  readonly endings: readonly Ending[];
  readonly segments: readonly Moved<ProgramSegment>[];
}

/**
 * One stage for a row of sizes with equal steps between, as those of a cache that grows by a token, or of a plane of them, as those of
 * pictures: what varies with them are words of its program, which move on by equal steps, and contents that follow from shapes, which
 * are computed anew, as are launches that do not say they change by equal steps. It is made of plans for the corners of the first
 * step and for the last of these sizes, so that whatever holds at both ends of a row holds between them.
 */
export class Progression implements Moving {
  #at: readonly number[];
  #monomials: readonly number[];

  private constructor(
    private readonly context: PlanningContext,
    readonly stage: Stage,
    readonly base: BaseStage,
    private readonly course: Course,
  ) {
    this.#at = course.reach.map(() => 1);
    this.#monomials = monomialsAt(behindFirst(this.#at));
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
      const reach = steps.map((most) => Math.min(most, room));
      const agreement = new Agreement();
      const made = reach.some((most) => most < LEAST_STEPS) ? [] : madeAt(reach, context, base, lines, agreement);
      const [last, ...corners] = made;
      const isAll = corners.length === 1 << reach.length;
      const found = isAll
        ? Progression.#between(context, base, lines, [...corners, last as Revised], reach, agreement)
        : undefined;
      for (const { stage } of made) if (stage.program !== found?.stage.program) drop(context, stage);
      if (made.length > 0) return found;
    }
    return undefined;
  }

  static #between(
    context: PlanningContext,
    base: BaseStage,
    lines: readonly (Line | null)[],
    made: readonly Revised[],
    reach: readonly number[],
    agreement: Agreement,
  ): Progression | undefined {
    let moving: Progression | undefined;
    const [first, ...others] = made as [Revised, ...Revised[]];
    if (!others.every((other) => touchesAlike(first, other))) return undefined;
    const places = [...cornersOf(reach.length), reach].map((place) => monomialsAt(behindFirst(place)));
    const last = places.at(-1) as readonly number[];
    const contents = courseOf(base, made, places);
    const outputs = contents && movingOutputs(made, last);
    const guards = outputs && movingGuards(made, last, (i) => moving?.guardNow(i));
    const changed = changedIn(first).map((lowered) => ({
      lowered,
      formed: lowered.isEven ? formedThrough(lowered, made, last) : undefined,
    }));
    const formed = changed.flatMap((each) => each.formed ?? []);
    const uneven = changed.flatMap((each) => (each.formed ? [] : [each.lowered]));
    const renewal = guards && renewalOf(uneven, made, last);
    if (!renewal || !copiesAlike(made)) return undefined;
    const { foreseen, standing } = contents;
    const spans = [
      ...[...foreseen, ...standing, ...formed].flatMap(({ table }) => (table ? [spanOfTable(table)] : [])),
      ...renewal.nodes.flatMap((lowered) => spansOf(first.stage.program, lowered)),
    ];
    const slopes = slopesOf(context.engine, made, last, spans);
    if (!slopes) return undefined;
    for (const { table, contents } of standing) writeTable(context, first.stage, table, contents.data as Uint8Array);
    const segments = first.stage.segments.map((segment): Moved<Segment> => ({ ...segment }));
    const origin: Stage['origin'] = {
      kind: 'revised',
      base,
      get facts() {
        const at = (moving as Progression).#at;
        return () => replayed(base, typesAt(lines, at))();
      },
    };
    const stage: Stage = { ...first.stage, segments, outputs: outputs.all, guards: guards.all, origin };
    const facts = base.origin.start.facts.fork();
    const foresight = new Foresight(facts, lines, reach, foreseen, first.revision.found);
    const endings = [...outputs.moving, ...guards.moving];
    const timed = segments.filter((segment) => segment.kind === 'program');
    const course = {
      lines,
      reach,
      slopes,
      renewal,
      formed,
      agreement,
      foresight,
      endings,
      segments: timed,
    };
    moving = new Progression(context, stage, base, course);
    return moving;
  }

  /** A guard as it is for the sizes of now; what it says of them is wanted but seldom. */
  guardNow(i: number): Guard | undefined {
    const revised = revisedFor(this.context, this.base, typesAt(this.course.lines, this.#at));
    if (revised) drop(this.context, revised.stage);
    return revised?.stage.guards[i];
  }

  get shapes(): Shape[] {
    return this.course.lines.flatMap((line) => (line ? [shapeAt(line, this.#at)] : []));
  }

  moveTo(inputs: readonly (HostValue | undefined)[]): boolean {
    const place = placeOf(this.course.lines, inputs, this.course.reach);
    return place !== undefined && (sameItems(place, this.#at) || (!account() && this.#move(place)));
  }

  #move(place: readonly number[]): boolean {
    const { slopes, segments, endings, foresight, formed } = this.course;
    const contents = foresight.at(place, this.#at);
    const monomials = monomialsAt(behindFirst(place));
    const tables = contents && formedAt(formed, monomials);
    const renewed = tables && this.#renewedAt(monomials);
    if (!renewed) return false;
    const { context } = this;
    const { engine, arena } = context;
    const { program } = this.stage;
    moveProgram(engine, program, slopes, this.#monomials, monomials);
    if (renewed !== 'nothing') rewrite(engine, arena, program, renewed);
    for (const segment of segments) segment.tiles = tilesOf(engine, program, segment.begin, segment.end);
    for (let i = 0; i < contents.length; i++) {
      const { table } = foresight.foreseen[i] as Foreseen;
      if (table) writeTable(context, this.stage, table, contents[i] as Uint8Array);
    }
    for (let i = 0; i < tables.length; i++) {
      const { table } = formed[i] as Formed;
      writeTable(context, this.stage, table, tables[i] as ArrayBufferView);
    }
    showSizes(endings, monomials);
    this.#at = place;
    this.#monomials = monomials;
    return true;
  }

  /** What is lowered again; undefined where that comes to something else. What is wrong with such sizes is said when they are planned. */
  #renewedAt(place: readonly number[]): Revision | 'nothing' | undefined {
    const { renewal, agreement } = this.course;
    if (renewal.nodes.length === 0) return 'nothing';
    try {
      return renewedAt(this.context, this.base, renewal, place, agreement);
    } catch {
      return undefined;
    }
  }

  release(): void {
    drop(this.context, this.stage);
  }
}

/** Plans for the last place and the corners of the first step, as many as there are until one takes more than a revision. */
function madeAt(
  reach: readonly number[],
  context: PlanningContext,
  base: BaseStage,
  lines: readonly (Line | null)[],
  agreement: Agreement,
): Revised[] {
  const made: Revised[] = [];
  for (const place of [reach, ...cornersOf(reach.length)]) {
    const revised = revisedFor(context, base, typesAt(lines, place), agreement);
    if (revised) made.push(revised);
    if (!revised || !isMovable(revised)) break;
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

const writeTable = ({ engine }: PlanningContext, { program }: Stage, { offset }: Table, contents: ArrayBufferView) =>
  engine.u8.set(bytesOf(contents as Uint8Array), program.address + offset);

function drop({ engine, arena }: PlanningContext, { program }: Stage): void {
  freeProgram(engine, arena, program);
  program.constants.release();
}

/** Whether a revision is one stage of launches alone, whose sizes are known beforehand. */
const isMovable = ({ stage, revision: { calls, found } }: Revised): boolean =>
  !stage.rest && calls.size === 0 && found.every(isPlain);

/** The nodes of which something has changed, but for where they lie. */
const changedIn = ({ revision }: Revised): Lowered[] =>
  revision.relowered.filter(
    ({ node, operands, looked }) =>
      revision.matters(node, operands, looked) || node.outputs.some((value) => value && revision.changed.has(value)),
  );

const isPlain = ({ node, outcome }: Finding): boolean =>
  subgraphsOf(node).length === 0 &&
  (outcome.kind === 'folded' || (outcome.kind === 'runnable' && outcome.dynamic.length === 0));

/** Whether two revisions have looked at the same nodes, and found the same values to be others. */
function touchesAlike({ revision: a }: Revised, { revision: b }: Revised): boolean {
  return isSame(a.found, b.found) && isSame(a.relowered, b.relowered) && isSame([...a.changed], [...b.changed]);
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i]);

/** Whether inputs are copied to the same places whatever their sizes. */
function copiesAlike(made: readonly Revised[]): boolean {
  const [first, ...others] = made.map(({ stage }) => stage.copies) as [Stage['copies'], ...Stage['copies'][]];
  return first.every(({ target }, i) =>
    others.every((copies) => samePlace(target.place, copies[i]?.target.place ?? 0)),
  );
}
