import { bitOf } from '../../../analysis/node-view.js';
import type { Fact, Facts } from '../../../graph/facts.js';
import type { Node, Value } from '../../../graph/graph.js';
import type { ValueType } from '../../../graph/types.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { isEvenNode } from './even-operators.js';
import { type Form, formsThrough, isStill, numberAt } from './multi-affine.js';
import { type AnyPlace, bytesIn, type Table } from './places.js';
import { numberIn, type Ramp, rampOf } from './ramps.js';
import type { Revised } from './revise.js';
import type { Finding } from './specialize.js';
import type { BaseStage } from './stage.js';

/** What is known beforehand of a value that shapes say, at sizes in equal steps. */
export interface Foreseen {
  readonly value: Value;
  readonly first: Fact;
  readonly dims: readonly Form[];
  /** Of its contents, for somebody may have asked for them; null where nobody has, and a table takes them as they come. */
  readonly contents: readonly Form[] | null;
  readonly table: Table | undefined;
}

/** Of a row of places, what has to be computed anew at each of them, and tables that hold for all: each place takes the first of them. */
export interface Course {
  readonly foreseen: readonly Foreseen[];
  readonly standing: readonly { readonly table: Table; readonly contents: TensorValue }[];
}

/**
 * Of what the revisions for the corners and the last of some places have folded, the values that have to be computed anew at those
 * between: what others are follows from equal steps, or from their being ramps. Undefined where it cannot be told.
 */
export function courseOf(
  base: BaseStage,
  made: readonly Revised[],
  places: readonly (readonly number[])[],
): Course | undefined {
  const course: Foreseen[] = [];
  const standing: Course['standing'][number][] = [];
  const certain = new Map<Value, readonly Form[]>();
  const ramps = new Map<Value, Ramp>();
  const [first] = made as [Revised];
  const end = places.at(-1) as readonly number[];
  const folded = first.revision.found.filter(({ outcome }) => outcome.kind === 'folded');
  for (const { node } of folded)
    for (const value of node.outputs) {
      if (!value) continue;
      const found = foreseen(
        base,
        folded,
        value,
        made.map(({ revision }) => revision.facts.get(value) as Fact),
        places,
      );
      if (!found) return undefined;
      const isKnown = found.contents && isCertain(base, first, node, certain);
      if (isKnown) certain.set(value, found.contents);
      const operands = node.inputs.map((input) => rampIn(first, input, certain, ramps, end));
      const ramp = rampOf(node, operands, found.dims, found.first, end);
      if (ramp) ramps.set(value, ramp);
      if (isKnown) continue;
      if (!ramp || (found.table && !isStill(ramp.start))) course.push(found);
      else if (found.table) standing.push({ table: found.table, contents: contentsOf(made.at(-1) as Revised, value) });
    }
  return { foreseen: course, standing };
}

const contentsOf = ({ revision }: Revised, value: Value): TensorValue =>
  revision.facts.get(value)?.contents as TensorValue;

/** What is known of an operand as a ramp: what is folded of others, one number that changes by equal steps, or one that stays. */
function rampIn(
  { revision }: Revised,
  value: Value | null,
  certain: ReadonlyMap<Value, readonly Form[]>,
  ramps: ReadonlyMap<Value, Ramp>,
  last: readonly number[],
): Ramp | undefined {
  if (!value) return undefined;
  const [start, ...others] = certain.get(value) ?? [];
  if (start && others.length === 0) return { start, step: 0 };
  return ramps.get(value) ?? (revision.changed.has(value) ? undefined : numberIn(revision.facts.get(value), last));
}

/** Whether the contents of a node's outputs change by equal steps since those of its inputs do. */
function isCertain(
  { origin }: BaseStage,
  { revision }: Revised,
  node: Node,
  certain: ReadonlyMap<Value, readonly Form[]>,
): boolean {
  const { held } = origin.start;
  const isKnown = (value: Value | null) => !value || !revision.changed.has(value) || certain.has(value);
  const isOfHeld = node.op === 'Shape' && held.includes(node.inputs[0] as Value);
  return (
    (isOfHeld || node.inputs.every(isKnown)) && isEvenNode(node, (i) => certain.get(node.inputs[i] as Value) ?? [])
  );
}

function foreseen(
  base: BaseStage,
  folded: readonly Finding[],
  value: Value,
  facts: readonly Fact[],
  places: readonly (readonly number[])[],
): Foreseen | undefined {
  const [first] = facts as [Fact];
  const last = places.at(-1) as readonly number[];
  const place = base.values.get(value) as AnyPlace | number | undefined;
  const table = typeof place === 'object' && place.kind === 'table' ? place : undefined;
  const dims = formsThrough(
    facts.map(({ type }) => dimsOf(type)),
    last,
  );
  const contents = formsOf(facts, last);
  if (!dims || (place !== undefined && !table) || (!contents && isAskedFor(base, folded, value))) return undefined;
  const found = { value, first, dims, contents, table };
  return facts.every((fact, i) => isForeseen(found, fact, places[i] as readonly number[])) ? found : undefined;
}

const dimsOf = (type: ValueType): readonly number[] => (type as { readonly dims: readonly number[] }).dims;

/** Of contents of one size, each number; null where they are no integers. */
function formsOf(facts: readonly Fact[], last: readonly number[]): readonly Form[] | null {
  const lists = facts.map(({ contents }) => numbersIn(contents));
  return lists.every((list) => list !== undefined) ? (formsThrough(lists, last) ?? null) : null;
}

const MAX_NUMBERS = 64;

function numbersIn(contents: TensorValue | undefined): number[] | undefined {
  const isOfIntegers = contents?.type === 'int64' || contents?.type === 'int32';
  return isOfIntegers && contents.data.length <= MAX_NUMBERS
    ? Array.from(contents.data as Int32Array, Number)
    : undefined;
}

/** Whether something that is planned depends on the contents of a value, but for what is computed anew. */
function isAskedFor({ origin }: BaseStage, folded: readonly Finding[], value: Value): boolean {
  const asks = ({ inputs }: Node, asked: number) =>
    inputs.some((input, i) => input === value && (asked & bitOf(i)) !== 0);
  const { lowered, specialized } = origin;
  return (
    lowered.some(({ node, asked }) => asks(node, asked)) ||
    specialized.findings.some((finding) => !folded.includes(finding) && asks(finding.node, finding.looked))
  );
}

/** Whether a value is at a place of such monomials what it was foreseen to be. */
export function isOnCourse(foreseen: Foreseen, facts: Facts, place: readonly number[]): boolean {
  const fact = facts.get(foreseen.value);
  return fact !== undefined && isForeseen(foreseen, fact, place);
}

function isForeseen({ first, dims, contents, table }: Foreseen, fact: Fact, place: readonly number[]): boolean {
  const { type, contents: now } = fact;
  if (type.kind !== 'tensor' || !now || type.element !== (first.type as { element: string }).element) return false;
  for (let d = 0; d < dims.length; d++) if (type.dims?.[d] !== numberAt(dims[d] as Form, place)) return false;
  if (table && bytesIn(now.data as Uint8Array) > table.capacity) return false;
  return !contents || contents.every((form, i) => Number(now.data[i]) === numberAt(form, place));
}
