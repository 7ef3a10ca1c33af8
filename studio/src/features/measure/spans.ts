import type { StepTiming, ThreadTiming } from 'sardonyx';

/** One thread's part of a step, as a bar. */
export interface Span {
  readonly step: StepTiming;
  readonly part: ThreadTiming;
  readonly row: number;
  /** Steps of the same operator share a colour. */
  readonly color: number;
}

/** Bars in rows: one for each thread that ran kernels, and one for the host. */
export interface Rows {
  readonly titles: readonly string[];
  readonly spans: readonly Span[];
}

/** The visible time range in milliseconds. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

export function laidOut(steps: readonly StepTiming[]): Rows {
  const parts = steps.flatMap((step) => step.threads);
  const threads = parts.reduce((most, { thread }) => Math.max(most, thread + 1), 1);
  const colors = new Map<string, number>();
  const spans = steps.flatMap((step) => {
    const color = colors.get(step.operator) ?? colors.size;
    colors.set(step.operator, color);
    return step.threads.map((part) => ({ step, part, row: step.kernel === 'host' ? threads : part.thread, color }));
  });
  const kernels = Array.from({ length: threads }, (_, i) => (threads > 1 ? `Thread ${i}` : 'Kernels'));
  return { titles: [...kernels, 'Host'], spans };
}

/** The bar in a row at a given time. */
export const spanAt = (spans: readonly Span[], time: number, row: number): Span | null =>
  spans.find((span) => span.row === row && span.part.start <= time && time <= endOf(span)) ?? null;

export const endOf = ({ part: { start, milliseconds } }: Span): number => start + milliseconds;

/** The steps that any thread worked on in a time range. */
export const stepsWithin = (steps: readonly StepTiming[], { from, to }: Window): StepTiming[] =>
  steps.filter(({ threads }) => threads.some(({ start, milliseconds }) => start < to && start + milliseconds > from));
