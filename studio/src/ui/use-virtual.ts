import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';

export interface VirtualOptions {
  readonly count: number;
  /** Size of an item in pixels. */
  readonly size: number;
  /** Space before the first item in pixels. */
  readonly lead?: number;
  readonly isHorizontal?: boolean;
}

/** The visible items of a long list in a scrolling element, with their positions. */
export function useVirtual(frame: RefObject<HTMLElement | null>, options: VirtualOptions) {
  const [, redraw] = useState(0);
  const settings = {
    count: options.count,
    estimateSize: () => options.size,
    paddingStart: options.lead ?? 0,
    horizontal: options.isHorizontal ?? false,
    overscan: 4,
    getScrollElement: () => frame.current,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw((count) => count + 1),
  };
  const list = useMemo(() => new Virtualizer<HTMLElement, Element>(settings), []);
  list.setOptions(settings);
  useEffect(() => {
    const leave = list._didMount();
    list._willUpdate();
    redraw((count) => count + 1);
    return leave;
  }, []);
  useEffect(() => list._willUpdate());
  const items = list.getVirtualItems();
  return { items, total: list.getTotalSize(), show: (index: number) => list.scrollToIndex(index, { align: 'auto' }) };
}
