import type { Step } from '../runs/service.js';

/** What one thread did of a step, as a bar. */
export interface Span {
  readonly step: Step;
  readonly row: number;
  readonly start: number;
  readonly milliseconds: number;
  /** Steps of one operator have one colour. */
  readonly color: number;
}

/** Milliseconds in view. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** A bar for each thread's part of each step; in the order of their starts, row by row. */
export function laidOut(steps: readonly Step[]): Span[] {
  const colors = new Map<string, number>();
  return steps.flatMap((step) => {
    const color = colors.get(step.operator) ?? colors.size;
    colors.set(step.operator, color);
    const shares = step.threads.length > 0 ? step.threads : [{ ...step, thread: 0 }];
    return shares.map(({ thread, start, milliseconds }) => ({ step, row: thread, start, milliseconds, color }));
  });
}

/** The bar of a row at a time, or the one that ended last before it within a thousandth of all. */
export function spanAt(spans: readonly Span[], time: number, row: number): Span | null {
  return spans.find((span) => span.row === row && span.start <= time && time <= span.start + span.milliseconds) ?? null;
}
