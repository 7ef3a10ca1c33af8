import { account } from '../../../account.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';

export type Shape = Pick<TensorValue, 'type' | 'dims'>;

/**
 * Plans made ahead where sizes grow by the same step, as in decoding: made after a run, a plan takes more than twice as long as
 * made right after another, when code and data are in the caches.
 */
const PLANNED_AHEAD = 7;

/** Foresees shapes whose sizes change by the same step from run to run. */
export class Ahead {
  #shapes: readonly (Shape | null)[] = [];
  #step: readonly number[] | undefined;
  #isSteady = false;

  /** Takes note of the shapes of a run; null is what is no tensor. */
  note(shapes: readonly (Shape | null)[]): void {
    const step = stepBetween(this.#shapes, shapes);
    this.#isSteady = step !== undefined && step.join() === this.#step?.join();
    [this.#shapes, this.#step] = [shapes, step];
  }

  /** The shapes of the last run and what their sizes change by, where they have done so twice. */
  get line(): { readonly shapes: readonly Shape[]; readonly steps: readonly number[] } | undefined {
    return this.#isSteady
      ? { shapes: this.#shapes as readonly Shape[], steps: this.#step as readonly number[] }
      : undefined;
  }

  /** Goes on behind runs that were of the same steps. */
  resume(shapes: readonly Shape[]): void {
    this.#shapes = shapes;
  }

  /** Lets plans be made for the shapes to come, while `plan` can. What is wrong with them will be said when they come. */
  planned(plan: (shapes: readonly Shape[]) => boolean): void {
    // Limits count what is asked for, not what may be.
    if (!this.#isSteady || account()) return;
    try {
      let at = this.#shapes as readonly Shape[];
      for (let i = 0; i < PLANNED_AHEAD; i++) {
        at = stepped(at, this.#step as readonly number[]);
        if (at.some(({ dims }) => dims.some((size) => size < 0)) || !plan(at)) return;
      }
    } catch {}
  }
}

/** By how much every size has changed; undefined where more than sizes has. */
function stepBetween(before: readonly (Shape | null)[], now: readonly (Shape | null)[]): readonly number[] | undefined {
  if (before.length !== now.length) return undefined;
  const step: number[] = [];
  for (let i = 0; i < now.length; i++) {
    const a = before[i];
    const b = now[i];
    if (!a || !b || a.type !== b.type || a.dims.length !== b.dims.length) return undefined;
    for (let d = 0; d < b.dims.length; d++) step.push((b.dims[d] as number) - (a.dims[d] as number));
  }
  return step;
}

function stepped(shapes: readonly Shape[], step: readonly number[]): Shape[] {
  let size = 0;
  return shapes.map(({ type, dims }) => ({ type, dims: dims.map((n) => n + (step[size++] as number)) }));
}
