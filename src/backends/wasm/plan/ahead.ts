import { account } from '../../../account.js';
import { isGrowth } from './growth.js';
import { type Row, type Shape, stepBetween, stepped } from './row.js';
import { SizeLine } from './size-line.js';
import { SizePlane } from './size-plane.js';
import type { BaseStage } from './stage.js';

/**
 * Plans made ahead where sizes grow by the same step, as in decoding: made after a run, a plan takes more than twice as long as
 * made right after another, when code and data are in the caches.
 */
const PLANNED_AHEAD = 7;

/** How far sizes that grow are followed at first. */
const REACHES = [[256], [64], [32]];

/** Foresees shapes whose sizes change by the same step from run to run, or lie on a line or a plane. */
export class Ahead {
  #before: readonly (Shape | null)[] = [];
  #shapes: readonly (Shape | null)[] = [];
  #step: readonly number[] | undefined;
  #isSteady = false;
  readonly #line = new SizeLine();
  readonly #plane = new SizePlane();

  /** Takes note of the shapes of a run; null is what is no tensor. */
  note(shapes: readonly (Shape | null)[]): void {
    const step = stepBetween(this.#shapes, shapes);
    this.#isSteady = step !== undefined && step.join() === this.#step?.join();
    [this.#before, this.#shapes, this.#step] = [this.#shapes, shapes, step];
    this.#line.note(shapes);
    this.#plane.note(shapes);
  }

  /**
   * What sizes to come may be on: where they have changed twice by the same, or once as caches grow, from the last run's on, or behind
   * these where `base` was planned for them; else between and about those so far.
   */
  rowsFrom(base: BaseStage, isForLast: boolean): readonly Row[] {
    const step = this.#step;
    if (!step || !(this.#isSteady || isGrowth(base, step))) return [...this.#line.rows, ...this.#plane.rows];
    const shapes = (isForLast ? this.#shapes : this.#before) as readonly Shape[];
    return [{ shapes, axes: [step], reaches: REACHES }];
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
