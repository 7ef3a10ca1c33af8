import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../ui/icon.js';
import type { Comparison } from './comparison.js';
import { sideInView } from './in-view.js';
import { pair } from './pair.js';
import './second-graph.css';
import { showBeside } from './show-beside.js';

/** The other model of a comparison beside the one in view; A is always on the left. */
export default function SecondGraph() {
  const comparison = pair.value;
  const inView = comparison ? sideInView(comparison) : undefined;
  if (!comparison || inView === undefined) return null;
  return <Second key={`${comparison.id} ${inView}`} comparison={comparison} side={inView === 0 ? 1 : 0} />;
}

function Second({ comparison, side }: { comparison: Comparison; side: 0 | 1 }) {
  const host = useRef<HTMLDivElement>(null);
  const shown = useSignal<ReturnType<typeof showBeside> | null>(null);
  useEffect(() => {
    const made = showBeside(host.current as HTMLDivElement, comparison, side);
    shown.value = made;
    return made.end;
  }, []);
  const { titles } = comparison;
  return (
    <>
      <h2 class={side === 0 ? 'side-title right' : 'side-title'}>{titles[side === 0 ? 1 : 0]}</h2>
      <section class={side === 0 ? 'second-graph before' : 'second-graph'} aria-label={`Graph of ${titles[side]}`}>
        <div ref={host} />
        <div class="side-title">
          <h2>{titles[side]}</h2>
          <button
            type="button"
            class="button plain"
            aria-label="Close second graph"
            onClick={() => {
              pair.value = null;
            }}
          >
            <Icon name="close" />
          </button>
        </div>
        <p class="second-says" role="status">
          {shown.value?.says}
        </p>
      </section>
    </>
  );
}
