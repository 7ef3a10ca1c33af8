import { formatBytes, formatMilliseconds } from '../../ui/quantities.js';
import type { Measurement } from '../../workers/contracts/runs.js';
import { quantile } from '../session/quantile.js';
import { measurement } from './state.js';

/** First run, median, 90th percentile, and the sum of the steps of one run. */
export function Figures() {
  const measured = measurement.value;
  if (!measured) return null;
  return (
    <dl class="figures" aria-label="Times">
      {figuresOf(measured).map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

function figuresOf({ create, first, runs, profiled, steps, memory, threads }: Measurement): [string, string][] {
  const sum = steps.reduce((total, { milliseconds }) => total + milliseconds, 0);
  return [
    ['Session creation', formatMilliseconds(create)],
    ['First run', formatMilliseconds(first)],
    ['Median', formatMilliseconds(quantile(runs, 0.5))],
    ['90th percentile', formatMilliseconds(quantile(runs, 0.9))],
    ['Runs', `${runs.length}, ${threads} thread${threads === 1 ? '' : 's'}`],
    ['Profiled run', formatMilliseconds(profiled)],
    ['Sum of steps', `${formatMilliseconds(sum)}, ${((100 * sum) / profiled).toFixed(1)} %`],
    ...(memory ? ([['Linear memory', formatBytes(memory.linearMemory)]] as [string, string][]) : []),
  ];
}
