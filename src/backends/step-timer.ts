import { onDemand } from '../base/on-demand.js';
import type { HostValue } from '../tensor/tensor-value.js';
import type { NotedStep } from './noted-step.js';
import type { StepTiming } from './step-timing.js';
import type * as StepTimings from './step-timings.js';

type Step = Pick<NotedStep, 'node' | 'provider' | 'kernel' | 'facts' | 'shares'> & {
  readonly tiles?: number;
  readonly given?: readonly HostValue[];
};

let tools: typeof StepTimings | undefined;

/** A function that loads the module which describes steps, before the first timed run; null once it is loaded. */
export const describing = (): (() => Promise<void>) | null => (tools ? null : bringTools);

async function bringTools(): Promise<void> {
  tools = await onDemand('step-timings', () => import('./step-timings.js'));
}

/** Records how long each step takes. */
export class StepTimer {
  readonly #steps: NotedStep[] = [];
  #run = -1;
  #begun = 0;
  #timings: readonly StepTiming[] = [];

  /** @internal */
  begin(): void {
    this.#run++;
    this.#begun = performance.now();
  }

  /** @internal */
  start(): number {
    return performance.now();
  }

  /** @internal */
  stop(started: number, { node, provider, kernel, facts, tiles = 1, given, shares }: Step): void {
    // The clock may have been set back.
    const milliseconds = Math.max(0, performance.now() - started);
    const start = Math.max(0, started - this.#begun);
    const bytes = given && tools?.bytesOfValue(given);
    this.#steps.push({ node, provider, kernel, tiles, run: this.#run, start, milliseconds, facts, bytes, shares });
  }

  get timings(): readonly StepTiming[] {
    if (tools && this.#timings.length < this.#steps.length) this.#timings = tools.timingsOf(this.#steps);
    return this.#timings;
  }
}
