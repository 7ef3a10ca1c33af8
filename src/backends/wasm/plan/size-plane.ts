import { commonDivisor, type Row, type Shape, stepBetween } from './row.js';

/** How many shapes tell of two sizes that vary. */
const LEAST_SEEN = 3;
const MOST_SEEN = 64;

/** How far down rows are to begin, and how far up they are to reach, of the least and the largest sizes seen, where that can be. */
const [BELOW, BEYOND] = [0.75, [0.25, 0]];

/** Sizes that vary together, by equal steps. */
interface Axis {
  readonly steps: readonly number[];
  /** The least and the most steps from the first shapes. */
  readonly least: number;
  readonly most: number;
}

/** Sizes that vary in two ways, as those of pictures: how far each has been. */
export class SizePlane {
  #first: readonly (Shape | null)[] = [];
  /** By how much sizes have differed from the first. */
  #seen: (readonly number[])[] = [];

  /** Takes note of the shapes of a run; null is what is no tensor. */
  note(shapes: readonly (Shape | null)[]): void {
    const more = stepBetween(this.#first, shapes);
    if (more) this.#seen = [...this.#seen.slice(1 - MOST_SEEN), more];
    else {
      this.#first = shapes;
      this.#seen = [shapes.flatMap((shape) => shape?.dims.map(() => 0) ?? [])];
    }
  }

  /** Rows through the sizes so far, the widest first. */
  get rows(): readonly Row[] {
    if (this.#seen.length < LEAST_SEEN || this.#first.includes(null)) return [];
    const axes = axesIn(this.#seen);
    if (axes?.length !== 2) return [];
    const lows = axes.map((axis) => axis.least - this.#room(axis, axis.least, BELOW));
    return [lows, axes.map(({ least }) => least)].map((from) => this.#rowFrom(axes, from));
  }

  get #sizes(): number[] {
    return (this.#first as readonly Shape[]).flatMap(({ dims }) => dims);
  }

  /** How many steps change each size of an axis by at most such a part of what it is at a place. */
  #room({ steps }: Axis, place: number, part: number): number {
    const rooms = this.#sizes.flatMap((size, d) => {
      const step = steps[d] as number;
      return step === 0 ? [] : [step < 0 ? 0 : (part * (size + step * place)) / step];
    });
    return Math.floor(Math.min(...rooms));
  }

  #rowFrom(axes: readonly Axis[], from: readonly number[]): Row {
    const before = (d: number) =>
      axes.reduce((sum, { steps }, a) => sum + (steps[d] as number) * ((from[a] as number) - 1), 0);
    let size = 0;
    const shapes = (this.#first as readonly Shape[]).map(({ type, dims }) => ({
      type,
      dims: dims.map((n) => n + before(size++)),
    }));
    const reaches = BEYOND.map((part) =>
      axes.map((axis, a) => axis.most + this.#room(axis, axis.most, part) - (from[a] as number) + 1),
    );
    return { shapes, axes: axes.map(({ steps }) => steps), reaches };
  }
}

/** Sizes that differ in proportion are one axis. What heights are multiples of, widths are taken to be, too. */
function axesIn(seen: readonly (readonly number[])[]): Axis[] {
  const groups: number[][] = [];
  for (let d = 0; d < (seen[0] as readonly number[]).length; d++) {
    if (seen.every((more) => more[d] === 0)) continue;
    const group = groups.find(([like]) => isInProportion(seen, like as number, d));
    if (group) group.push(d);
    else groups.push([d]);
  }
  const units = groups.map((group) => group.reduce((unit, d) => commonDivisor(unit, unitOf(seen, d)), 0));
  const unit = units.reduce(commonDivisor, 0);
  return groups.map((group, i) => axisOf(seen, group, unit / (units[i] as number)));
}

const unitOf = (seen: readonly (readonly number[])[], d: number): number =>
  seen.reduce((unit, more) => commonDivisor(unit, Math.abs(more[d] as number)), 0);

function isInProportion(seen: readonly (readonly number[])[], a: number, b: number): boolean {
  const like = seen.find((more) => more[a] !== 0) as readonly number[];
  return seen.every((more) => (more[a] as number) * (like[b] as number) === (more[b] as number) * (like[a] as number));
}

function axisOf(seen: readonly (readonly number[])[], group: readonly number[], part: number): Axis {
  const lead = group[0] as number;
  const like = seen.find((more) => more[lead] !== 0) as readonly number[];
  const sign = (d: number) => Math.sign(like[d] as number) * Math.sign(like[lead] as number);
  const steps = like.map((_, d) => (group.includes(d) ? unitOf(seen, d) * part * sign(d) : 0));
  const places = seen.map((more) => (more[lead] as number) / (steps[lead] as number));
  return { steps, least: Math.min(...places), most: Math.max(...places) };
}
