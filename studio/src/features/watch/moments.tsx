import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import type { Large } from '../../workers/contracts/log-entries.js';
import type { Moment } from '../../workers/contracts/logs.js';
import { logs } from './logs.js';
import { overview } from './state.js';

export interface Moments {
  readonly list: Signal<readonly Moment[]>;
  /** The index of the moment in view; follows the last one until another is chosen. */
  readonly at: Signal<number>;
}

/** The moments at which a tag has values. */
export function useMoments(kind: Large, run: string, tag: string): Moments {
  const list = useSignal<readonly Moment[]>([]);
  const at = useSignal(0);
  useSignalEffect(() => {
    void overview.value;
    void logs.moments(kind, run, tag).then((found) => {
      const wasLast = at.peek() >= list.peek().length - 1;
      list.value = found;
      if (wasLast) at.value = Math.max(0, found.length - 1);
    });
  });
  return { list, at };
}

/** Chooses a moment by its step. */
export function StepSlider({ list, at, title }: Moments & { title: string }) {
  const last = list.value.length - 1;
  if (last < 0) return null;
  const step = list.value[at.value]?.step ?? 0;
  return (
    <div class="label">
      <span>Step {step}</span>
      {last > 0 && (
        <input
          type="range"
          min="0"
          max={last}
          value={at.value}
          aria-label={`Step of ${title}`}
          aria-valuetext={`${step}`}
          onInput={(event) => {
            at.value = Number(event.currentTarget.value);
          }}
        />
      )}
    </div>
  );
}
