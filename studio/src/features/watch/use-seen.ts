import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Whether an element is in or near the visible area: others need not be drawn. */
export function useSeen(element: RefObject<HTMLElement | null>): Signal<boolean> {
  const isSeen = useSignal(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        isSeen.value = entries.at(-1)?.isIntersecting ?? false;
      },
      { rootMargin: '300px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return isSeen;
}
