import type { Fact } from '../../../graph/facts.js';
import type { Value } from '../../../graph/graph.js';
import { tensorType } from '../../../graph/types.js';
import type { ElementType } from '../../../tensor/element-types.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import type { Agreement } from './agreement.js';
import type { PlanningContext } from './context.js';
import { type Form, formsThrough, numberAt } from './multi-affine.js';
import { lowerAgain, type Revised } from './revise.js';
import { Revision } from './revision.js';
import type { BaseStage, Lowered } from './stage.js';

/** What is known at each place of a value that a node reads or makes. */
interface Course {
  readonly value: Value;
  readonly element: ElementType;
  readonly dims: readonly Form[];
  /** Null where there are none. */
  readonly contents: readonly Form[] | null;
}

/** Nodes that are lowered again at each place, since their launches do not change by equal steps. */
export interface Renewal {
  readonly nodes: readonly Lowered[];
  readonly courses: readonly Course[];
}

/** Those of the nodes that a row of revisions has lowered; undefined where what they read is on no line, or lies elsewhere. */
export function renewalOf(
  nodes: readonly Lowered[],
  made: readonly Revised[],
  last: readonly number[],
): Renewal | undefined {
  if (nodes.length > 0 && made.some(({ revision }) => revision.moved.size > 0)) return undefined;
  const values = new Set(nodes.flatMap(({ node, operands }) => [...operands, ...node.outputs]));
  const courses: Course[] = [];
  for (const value of values) {
    if (!value || !made[0]?.revision.changed.has(value)) continue;
    const facts = made.map(({ revision }) => revision.facts.get(value) as Fact);
    const course = courseThrough(value, facts, last);
    if (!course) return undefined;
    courses.push(course);
  }
  return { nodes, courses };
}

function courseThrough(value: Value, facts: readonly Fact[], last: readonly number[]): Course | undefined {
  const types = facts.map(({ type }) => type).filter((type) => type.kind === 'tensor');
  const dims = formsThrough(
    types.map((type) => type.dims as readonly number[]),
    last,
  );
  const contents = contentsThrough(facts, last);
  const element = types[0]?.element;
  return dims && element && contents !== undefined ? { value, element, dims, contents } : undefined;
}

const isOfIntegers = (contents: TensorValue | undefined): contents is TensorValue =>
  contents?.type === 'int64' || contents?.type === 'int32';

/** Null where none has contents; undefined where these are on no line. */
function contentsThrough(facts: readonly Fact[], last: readonly number[]): readonly Form[] | null | undefined {
  const all = facts.map(({ contents }) => contents);
  if (all.every((contents) => contents === undefined)) return null;
  if (!all.every(isOfIntegers)) return undefined;
  return formsThrough(
    all.map(({ data }) => Array.from(data as Int32Array, Number)),
    last,
  );
}

function factAt({ element, dims, contents }: Course, place: readonly number[]): Fact {
  const sizes = dims.map((form) => numberAt(form, place));
  const type = tensorType(element, sizes);
  return contents ? { type, contents: integers(element, sizes, contents, place) } : { type };
}

function integers(
  type: ElementType,
  dims: readonly number[],
  forms: readonly Form[],
  place: readonly number[],
): TensorValue {
  const numbers = forms.map((form) => numberAt(form, place));
  const data = type === 'int64' ? BigInt64Array.from(numbers, BigInt) : Int32Array.from(numbers);
  return { type, dims, data } as TensorValue;
}

/** The launches of these nodes at a place of such monomials; undefined where they come to others, or lie elsewhere. */
export function renewedAt(
  context: PlanningContext,
  base: BaseStage,
  { nodes, courses }: Renewal,
  place: readonly number[],
  agreement: Agreement,
): Revision | undefined {
  const { start, host } = base.origin;
  const revision = new Revision(context, base.program.constants, base, start.facts.fork(), agreement);
  for (const course of courses) revision.learn(course.value, factAt(course, place));
  for (const lowered of nodes) {
    const now = lowerAgain(revision, lowered, host);
    if (!revision.isWhole(now) || !now.isInPlace) return undefined;
  }
  return revision;
}
