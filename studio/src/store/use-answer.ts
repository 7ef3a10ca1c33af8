import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { report } from './notices.js';

/**
 * A worker's answer, requested again when `about` changes, and undefined until it arrives. Late answers are dropped. When only `version`
 * changes, the previous answer stays until the new one arrives.
 */
export function useAnswer<T>(ask: () => Promise<T>, about: readonly unknown[], version?: unknown): T | undefined {
  const answer = useSignal<{ readonly about: readonly unknown[]; readonly value: T } | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    ask().then(
      (value) => {
        if (isCurrent) answer.value = { about, value };
      },
      (error) => isCurrent && report('Cannot show this', error),
    );
    return () => {
      isCurrent = false;
    };
  }, [...about, version]);
  const { value } = answer;
  return value?.about.every((each, i) => each === about[i]) ? value.value : undefined;
}
