import { Check } from '../../../ui/check.js';
import { Pick } from '../../../ui/pick.js';
import type { Axis } from '../../../workers/contracts/logs.js';
import { axis, isLogarithmic, smoothing, tagsOf } from '../state.js';
import { Chart } from './chart.js';

const AXES: readonly (readonly [Axis, string])[] = [
  ['step', 'Step'],
  ['relative', 'Relative time (s)'],
  ['wall', 'Wall time'],
];

export function ScalarsView() {
  return (
    <>
      <div class="row controls">
        <label class="label">
          Smoothing {smoothing.value.toFixed(2)}
          <input
            type="range"
            min="0"
            max="0.99"
            step="0.01"
            value={smoothing.value}
            onInput={(event) => {
              smoothing.value = Number(event.currentTarget.value);
            }}
          />
        </label>
        <Pick title="Horizontal axis" options={AXES} of={axis} />
        <Check
          title="Log scale"
          value={isLogarithmic.value}
          onChange={(chosen) => {
            isLogarithmic.value = chosen;
          }}
        />
      </div>
      <div class="charts">
        {tagsOf(['scalar']).map(({ tag, runs }) => (
          <Chart key={tag} tag={tag} runs={runs} />
        ))}
      </div>
    </>
  );
}
