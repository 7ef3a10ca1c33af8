import type { Fact } from '../../../graph/facts.js';
import type { Node } from '../../../graph/graph.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { type Form, isStill, numberAt } from './multi-affine.js';

/**
 * Numbers along one axis, as long as places say: `start` at a place and so much more with each element. So are the positions that
 * masks are made of, and what is left of these where a comparison comes out alike for all.
 */
export interface Ramp {
  readonly start: Form;
  readonly step: number;
}

/** What a ramp is wanted for: elements of a type, so many at each place up to the last. */
interface Extent {
  readonly element: ElementType;
  readonly length: Form;
  readonly last: readonly number[];
}

type Operands = readonly (Ramp | undefined)[];
type Rule = (operands: Operands, extent: Extent) => Ramp | undefined;

const level = (value: number, { length }: Form): Ramp => ({
  start: Array.from({ length }, (_, i) => (i === 0 ? value : 0)),
  step: 0,
});

/** The one number that a ramp is of; undefined where it is of several. */
export const levelOf = ({ start, step }: Ramp): number | undefined =>
  step === 0 && isStill(start) ? start[0] : undefined;

const isWhole = ({ start, step }: Ramp): boolean => [...start, step].every(Number.isInteger);

const same: Rule = ([a]) => a;

const sum =
  (sign: 1 | -1): Rule =>
  ([a, b]) =>
    a && b && { start: a.start.map((n, i) => n + sign * (b.start[i] as number)), step: a.step + sign * b.step };

/** Its numbers at the ends of the first place and of the last: all others are between these. */
function ends({ start, step }: Ramp, { length, last }: Extent): number[] {
  const first = last.map((_, i) => (i === 0 ? 1 : 0));
  return [first, last].flatMap((place) => {
    const from = numberAt(start, place);
    return [from, from + step * (numberAt(length, place) - 1)];
  });
}

/** What a comparison with zero says of all numbers of a difference, where it says the same of all. */
const compared =
  (isTrue: (sign: number) => boolean): Rule =>
  (operands, extent) => {
    const ramp = sum(-1)(operands, extent);
    const signs = ramp ? ends(ramp, extent).map(Math.sign) : [NaN];
    const [least, most] = [Math.min(...signs), Math.max(...signs)];
    const answers = new Set([-1, 0, 1].filter((sign) => least <= sign && sign <= most).map(isTrue));
    return answers.size === 1 ? level(Number(answers.has(true)), extent.length) : undefined;
  };

const chosen: Rule = ([condition, yes, no]) => {
  const answer = condition && levelOf(condition);
  return answer === undefined ? undefined : answer ? yes : no;
};

const RULES: Readonly<Record<string, Rule>> = {
  Add: sum(1),
  Cast: ([a], { element }) => (element !== 'bool' && a && isWhole(a) ? a : undefined),
  Equal: compared((sign) => sign === 0),
  Expand: same,
  Greater: compared((sign) => sign > 0),
  GreaterOrEqual: compared((sign) => sign >= 0),
  Identity: same,
  Less: compared((sign) => sign < 0),
  LessOrEqual: compared((sign) => sign <= 0),
  Range: ([start, , delta]) => {
    const step = delta && levelOf(delta);
    return start && step !== undefined ? { start: start.start, step } : undefined;
  },
  Reshape: same,
  Squeeze: same,
  Sub: sum(-1),
  Unsqueeze: same,
  Where: chosen,
};

/** What is reckoned with exactly, as far as it is no larger; other numbers are chosen among, no more. */
const EXACT: ReadonlySet<ElementType> = new Set<ElementType>(['int32', 'int64', 'bool']);
const LARGEST = 2 ** 31 - 1;

/** The ramp that a node makes of ramps at all places up to one of such monomials, of one axis; `dims` and `fact` are those of its output. */
export function rampOf(
  { domain, op }: Node,
  operands: Operands,
  dims: readonly Form[],
  { type }: Fact,
  last: readonly number[],
): Ramp | undefined {
  const [longest, ...others] = dims.filter((form) => !isStill(form) || form[0] !== 1);
  if (domain !== '' || last.length > 2 || others.length > 0 || type.kind !== 'tensor') return undefined;
  const extent = { element: type.element, length: longest ?? level(1, last).start, last };
  const ramp = RULES[op]?.(operands, extent);
  if (!ramp) return undefined;
  const own = longest ? ramp : { ...ramp, step: 0 };
  const isExact = EXACT.has(type.element) && ends(own, extent).every((number) => Math.abs(number) <= LARGEST);
  return isExact || op === 'Where' ? own : undefined;
}

const KNOWN: ReadonlySet<ElementType> = new Set<ElementType>([...EXACT, 'float32', 'float64']);

/** The ramp that a value is which is one number at all places. */
export function numberIn(fact: Fact | undefined, last: readonly number[]): Ramp | undefined {
  const contents = fact?.contents;
  if (contents?.data.length !== 1 || !KNOWN.has(contents.type)) return undefined;
  return level(Number(contents.data[0]), last);
}
