import { Check } from '../../ui/check.js';
import { Choice } from '../../ui/choice.js';
import type { Settings } from '../../workers/contracts/quantize.js';
import { change, settings } from './state.js';

const METHODS = [
  ['static', 'Weights and activations (static)'],
  ['dynamic', 'Weights, activations as they come (dynamic)'],
  ['weights', 'Weights alone'],
] as const;

const BITS = [2, 4, 8].map((each) => [each, `${each}`] as const) as readonly (readonly [Settings['bits'], string])[];
const BLOCKS = [16, 32, 64, 128].map((each) => [each, `${each}`] as const);

const ROUNDINGS = [
  ['rtn', 'To the nearest (rtn)'],
  ['kquant', 'Weighted (kquant)'],
  ['hqq', 'Half-quadratic (hqq)'],
  ['gptq', 'By samples (gptq)'],
  ['awq', 'By activations (awq)'],
] as const;

const RANGES = [
  ['minmax', 'Least and largest (minmax)'],
  ['average', 'Their average (average)'],
  ['entropy', 'Least information lost (entropy)'],
  ['percentile', 'All but outliers (percentile)'],
  ['mse', 'Least squared error (mse)'],
] as const;

const REPAIRS = [
  ['equalize', 'Even out the ranges of channels (equalize)'],
  ['smooth', 'Move outliers into weights (smooth)'],
  ['adaround', 'Learn which way to round (adaround)'],
  ['bias', 'Correct the mean error (bias)'],
] as const;

/** How a model is quantised, with the toolkit's names beside plain ones. */
export function Choices() {
  const { method, perChannel, exclude } = settings.value;
  return (
    <>
      <Choice title="What" value={method} options={METHODS} onChange={(method) => change({ method })} />
      {method === 'weights' && <OfWeights />}
      {method === 'static' && <OfRanges />}
      {method !== 'weights' && (
        <Check title="A scale for each channel" value={perChannel} onChange={(perChannel) => change({ perChannel })} />
      )}
      <label class="label">
        Leave as they are (names, * for anything)
        <input
          class="field"
          placeholder="none"
          value={exclude.join(', ')}
          onChange={({ currentTarget: { value } }) => change({ exclude: namesIn(value) })}
        />
      </label>
    </>
  );
}

const namesIn = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

function OfWeights() {
  const { bits, block, rounding } = settings.value;
  return (
    <div class="row">
      <Choice title="Bits" value={bits} options={BITS} onChange={(bits) => change({ bits })} />
      <Choice title="Block" value={block} options={BLOCKS} onChange={(block) => change({ block })} />
      <Choice title="Rounding" value={rounding} options={ROUNDINGS} onChange={(rounding) => change({ rounding })} />
    </div>
  );
}

function OfRanges() {
  const { calibration, repair } = settings.value;
  return (
    <>
      <Choice
        title="Ranges by"
        value={calibration}
        options={RANGES}
        onChange={(calibration) => change({ calibration })}
      />
      <fieldset>
        <legend>Repairs</legend>
        {REPAIRS.map(([id, title]) => (
          <div key={id}>
            <Check
              title={title}
              value={repair.includes(id)}
              onChange={(isWanted) =>
                change({ repair: isWanted ? [...repair, id] : repair.filter((other) => other !== id) })
              }
            />
          </div>
        ))}
      </fieldset>
    </>
  );
}
