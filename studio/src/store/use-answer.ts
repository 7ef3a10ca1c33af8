import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { report } from './notices.js';

/**
 * What a worker answers, asked again when one of `about` is another; undefined until then. Late answers are dropped. Where `version`
 * alone is another it is asked again as well, and the answer before stays until then.
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
