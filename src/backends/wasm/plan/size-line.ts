import { commonDivisor, type Row, type Shape, stepBetween, stepped } from './row.js';

/** How many sizes make a line. */
const LEAST_SEEN = 3;

/** How far down a row is to begin, and how far up it is to reach, of the least and the largest size seen, where that can be. */
const [BELOW, BEYOND] = [0.5, [1, 0.25, 0]];

/** Sizes that lie on a line, as where a model has one size that varies: how far along it they have been. */
export class SizeLine {
  #origin: readonly (Shape | null)[] = [];
  /** To the next place where all sizes are whole. */
  #step: readonly number[] = [];
  readonly #seen = new Set<number>();
  #least = 0;
  #most = 0;
  /** What the places seen are multiples of. */
  #unit = 0;

  /** Takes note of the shapes of a run; null is what is no tensor. */
  note(shapes: readonly (Shape | null)[]): void {
    const place = this.#placeOf(stepBetween(this.#origin, shapes));
    if (place === undefined) this.#begin(shapes);
    else this.#reach(place);
  }

  /** Rows through the sizes so far, the widest first. */
  get rows(): readonly Row[] {
    if (this.#seen.size < LEAST_SEEN) return [];
    const low = this.#least - this.#room(this.#least, BELOW);
    const starts = [...(low < this.#least ? [[low, 1]] : []), [this.#least, 1]];
    if (this.#unit > 1) starts.push([this.#least, this.#unit]);
    return starts.map(([from, unit]) => this.#rowFrom(from as number, unit as number));
  }

  #begin(shapes: readonly (Shape | null)[]): void {
    this.#origin = shapes;
    this.#step = [];
    this.#seen.clear();
    [this.#least, this.#most, this.#unit] = [0, 0, 0];
    this.#reach(0);
  }

  #reach(place: number): void {
    this.#least = Math.min(this.#least, place);
    this.#most = Math.max(this.#most, place);
    this.#unit = commonDivisor(this.#unit, Math.abs(place));
    if (this.#seen.size < LEAST_SEEN) this.#seen.add(place);
  }

  /** How many steps from the origin sizes are that differ from its by `more`; undefined off the line. */
  #placeOf(more: readonly number[] | undefined): number | undefined {
    const axis = more?.findIndex((size) => size !== 0);
    if (!more || axis === undefined) return undefined;
    if (axis < 0) return 0;
    if (this.#step.length === 0) this.#step = primitive(more);
    const place = (more[axis] as number) / (this.#step[axis] as number);
    return more.every((size, i) => size === place * (this.#step[i] as number)) ? place : undefined;
  }

  /** How many steps change each size by at most such a part of what it is at a place. */
  #room(place: number, part: number): number {
    const sizes = (this.#origin as readonly Shape[]).flatMap(({ dims }) => dims);
    const rooms = this.#step.flatMap((step, i) =>
      step === 0 ? [] : [step < 0 ? 0 : (part * ((sizes[i] as number) + step * place)) / step],
    );
    return Math.floor(Math.min(...rooms));
  }

  #rowFrom(from: number, unit: number): Row {
    const shapes = stepped(this.#origin as readonly Shape[], this.#step, from - unit);
    const reaches = BEYOND.map((part) => [Math.floor((this.#most + this.#room(this.#most, part) - from) / unit) + 1]);
    return { shapes, axes: [this.#step.map((step) => step * unit)], reaches };
  }
}

/** The shortest of such steps whose first size grows. */
function primitive(steps: readonly number[]): readonly number[] {
  const divisor = steps.reduce((divisor, step) => commonDivisor(divisor, Math.abs(step)), 0);
  const sign = Math.sign(steps.find((step) => step !== 0) as number);
  return steps.map((step) => (sign * step) / divisor);
}
