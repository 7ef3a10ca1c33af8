import { useSignal } from '@preact/signals';
import { proxy } from 'comlink';
import { task } from '../../store/notices.js';
import { digits, formatBytes, formatCount, formatMilliseconds } from '../../ui/quantities.js';
import type { SideFacts, Timed } from '../../workers/contracts/compare.js';
import type { OpenSizes } from '../../workers/contracts/feeding.js';
import type { Comparison } from './comparison.js';

const FACTS: readonly (readonly [string, keyof SideFacts, (x: number) => string])[] = [
  ['File', 'bytes', formatBytes],
  ['Nodes', 'nodes', formatCount],
  ['Parameters', 'parameters', formatCount],
  ['Weights', 'weightBytes', formatBytes],
  ['Multiply-adds', 'multiplyAdds', formatCount],
];

const RUNS = 5;

/** Sizes of both models side by side, and their times on request. */
export function Summary({ comparison }: { comparison: Comparison }) {
  const { sides, symbols } = comparison.compared;
  const timed = useSignal<Timed | null>(null);
  const sizes = useSignal<OpenSizes>(new Map());
  const [before, after] = sides;
  const measure = async () => {
    const found = await task('Timing both', ({ progress }) =>
      comparison.service.time(sizes.value, RUNS, proxy(progress)),
    );
    if (found) timed.value = found;
  };
  return (
    <section class="stack" aria-label="Sizes and times">
      <table class="table">
        <thead>
          <tr>
            <th>
              <span class="sr-only">Property</span>
            </th>
            <th class="number">{comparison.titles[0]}</th>
            <th class="number">{comparison.titles[1]}</th>
            <th class="number">Ratio</th>
          </tr>
        </thead>
        <tbody>
          {FACTS.map(([title, name, format]) => (
            <Fact key={title} title={title} values={[before[name], after[name]]} format={format} />
          ))}
          {timed.value && <Times {...timed.value} />}
        </tbody>
      </table>
      <div class="row compared-sizes">
        {symbols.map((symbol) => (
          <label key={symbol} class="label">
            {symbol}
            <input
              class="field"
              type="number"
              min={0}
              value={sizes.value.get(symbol) ?? 1}
              onInput={(event) => {
                const size = Math.max(0, Math.floor(event.currentTarget.valueAsNumber || 0));
                sizes.value = new Map(sizes.value).set(symbol, size);
              }}
            />
          </label>
        ))}
        <button type="button" class="button" onClick={() => void measure()}>
          Time both
        </button>
      </div>
      {timed.value && <Outputs {...timed.value} />}
    </section>
  );
}

interface FactProps {
  readonly title: string;
  readonly values: readonly [number | null, number | null];
  readonly format: (x: number) => string;
}

const Fact = ({ title, values: [before, after], format }: FactProps) => (
  <tr>
    <td>{title}</td>
    <td class="number">{before === null ? '–' : format(before)}</td>
    <td class="number">{after === null ? '–' : format(after)}</td>
    <td class="number quiet">{before && after !== null ? digits(after / before) : ''}</td>
  </tr>
);

const Times = ({ milliseconds, runs, peak }: Timed) => (
  <>
    <Fact title={`Run, median of ${runs}`} values={milliseconds} format={formatMilliseconds} />
    <Fact title="Peak activation memory" values={peak} format={formatBytes} />
  </>
);

const Outputs = ({ outputs }: Timed) => (
  <table class="table">
    <thead>
      <tr>
        <th>Output</th>
        <th class="number">Rel. L2</th>
        <th class="number">Max abs</th>
      </tr>
    </thead>
    <tbody>
      {outputs.map(({ name, other, relativeL2, maxAbs, mismatch }) => (
        <tr key={name}>
          <td>{name === other ? name : `A: ${name}, B: ${other}`}</td>
          {mismatch === undefined ? (
            <>
              <td class="number">{error(relativeL2)}</td>
              <td class="number">{error(maxAbs)}</td>
            </>
          ) : (
            <td colSpan={2}>{mismatch}</td>
          )}
        </tr>
      ))}
    </tbody>
  </table>
);

const error = (value: number): string => (value === 0 ? '0' : value.toExponential(1));
