import type { StepTiming } from 'sardonyx';

/** A step as a bar. */
export interface Span {
  readonly step: StepTiming;
  /** 0: kernels, whose tiles all threads share; 1: the host. */
  readonly row: number;
  /** Steps of one operator have one colour. */
  readonly color: number;
}

/** Milliseconds in view. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

export const ROWS = ['Kernels', 'Host'] as const;

/** A bar for each step: a profiled run goes step by step, and those of kernels are shared by all threads. */
export function laidOut(steps: readonly StepTiming[]): Span[] {
  const colors = new Map<string, number>();
  return steps.map((step) => {
    const color = colors.get(step.operator) ?? colors.size;
    colors.set(step.operator, color);
    return { step, row: step.kernel === 'host' ? 1 : 0, color };
  });
}

/** The bar of a row at a time. */
export const spanAt = (spans: readonly Span[], time: number, row: number): Span | null =>
  spans.find((span) => span.row === row && span.step.start <= time && time <= endOf(span)) ?? null;

export const endOf = ({ step: { start, milliseconds } }: Span): number => start + milliseconds;
