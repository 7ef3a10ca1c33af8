import { bitOf } from '../../../analysis/node-view.js';
import type { Fact, Facts } from '../../../graph/facts.js';
import type { Node, Value } from '../../../graph/graph.js';
import type { ValueType } from '../../../graph/types.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { isEvenNode } from './even-operators.js';
import { type AnyPlace, bytesIn, type Table } from './places.js';
import type { Revised } from './revise.js';
import type { Finding } from './specialize.js';
import type { BaseStage } from './stage.js';

/** What is known beforehand of a value that shapes say, at sizes in equal steps. */
export interface Foreseen {
  readonly value: Value;
  readonly first: Fact;
  /** What its dims change by with each step. */
  readonly dims: readonly number[];
  /** What its contents do, for somebody may have asked for them; null where nobody has, and a table takes them as they come. */
  readonly contents: readonly number[] | null;
  readonly table: Table | undefined;
}

/**
 * Of what the revisions for the first, the second and the last of some sizes have folded, the values that have to be computed anew at those
 * between: what others are follows from equal steps. Undefined where it cannot be told.
 */
export function courseOf(
  base: BaseStage,
  [first, second, last]: readonly [Revised, Revised, Revised],
  reach: number,
): Foreseen[] | undefined {
  const course: Foreseen[] = [];
  const certain = new Map<Value, readonly number[]>();
  const folded = first.revision.found.filter(({ outcome }) => outcome.kind === 'folded');
  for (const { node } of folded)
    for (const value of node.outputs) {
      if (!value) continue;
      const facts = [first, second, last].map(({ revision }) => revision.facts.get(value)) as [Fact, Fact, Fact];
      const found = foreseen(base, folded, value, facts, reach);
      if (!found) return undefined;
      if (found.contents && isCertain(base, first, node, certain)) certain.set(value, found.contents);
      else course.push(found);
    }
  return course;
}

/** Whether the contents of a node's outputs change by equal steps since those of its inputs do. */
function isCertain(
  { origin }: BaseStage,
  { revision }: Revised,
  node: Node,
  certain: ReadonlyMap<Value, readonly number[]>,
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
  facts: readonly [Fact, Fact, Fact],
  reach: number,
): Foreseen | undefined {
  const [first, second] = facts;
  const place = base.values.get(value) as AnyPlace | number | undefined;
  const table = typeof place === 'object' && place.kind === 'table' ? place : undefined;
  const steps = stepsBetween(dimsOf(first.type), dimsOf(second.type));
  const contents = stepsOf(facts);
  if (!steps || (place !== undefined && !table) || (!contents && isAskedFor(base, folded, value))) return undefined;
  const found = { value, first, dims: steps, contents, table };
  return [facts[1], facts[2]].every((fact, i) => isForeseen(found, fact, i === 0 ? 2 : reach)) ? found : undefined;
}

const dimsOf = (type: ValueType): readonly number[] => (type as { readonly dims: readonly number[] }).dims;

function stepsBetween(a: readonly number[], b: readonly number[]): readonly number[] | undefined {
  return a.length === b.length ? b.map((size, d) => size - (a[d] as number)) : undefined;
}

/** What contents of one size change by with each step; null where they are no integers. */
function stepsOf([first, second]: readonly [Fact, Fact, Fact]): readonly number[] | null {
  const [a, b] = [numbersIn(first.contents), numbersIn(second.contents)];
  return a && b && a.length === b.length ? b.map((number, i) => number - (a[i] as number)) : null;
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

/** Whether a value is after so many steps what it was foreseen to be. */
export function isOnCourse(foreseen: Foreseen, facts: Facts, step: number): boolean {
  const fact = facts.get(foreseen.value);
  return fact !== undefined && isForeseen(foreseen, fact, step);
}

function isForeseen({ first, dims, contents, table }: Foreseen, fact: Fact, step: number): boolean {
  const { type, contents: now } = fact;
  if (type.kind !== 'tensor' || !now || type.element !== (first.type as { element: string }).element) return false;
  const from = dimsOf(first.type);
  for (let d = 0; d < dims.length; d++)
    if (type.dims?.[d] !== (from[d] as number) + (dims[d] as number) * (step - 1)) return false;
  if (table && bytesIn(now.data as Uint8Array) > table.capacity) return false;
  return !contents || areOnLine(first.contents as TensorValue, contents, now, step - 1);
}

function areOnLine({ data }: TensorValue, steps: readonly number[], now: TensorValue, by: number): boolean {
  for (let i = 0; i < steps.length; i++)
    if (Number(now.data[i]) !== Number(data[i]) + (steps[i] as number) * by) return false;
  return true;
}
