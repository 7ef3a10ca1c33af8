import { Check } from '../../ui/check.js';
import { Choice } from '../../ui/choice.js';
import type { Settings } from '../../workers/contracts/quantize.js';
import { change, settings } from './state.js';

const METHODS = [
  ['static', 'Weights and activations (static)'],
  ['dynamic', 'Weights, activations at run time (dynamic)'],
  ['weights', 'Weights only (weight-only)'],
] as const;

const BITS = [2, 4, 8].map((each) => [each, `${each}`] as const) as readonly (readonly [Settings['bits'], string])[];
const BLOCKS = [16, 32, 64, 128].map((each) => [each, `${each}`] as const);

const ROUNDINGS = [
  ['rtn', 'Round to nearest (rtn)'],
  ['kquant', 'K-quant (kquant)'],
  ['hqq', 'Half-quadratic (hqq)'],
  ['gptq', 'GPTQ, uses samples (gptq)'],
  ['awq', 'AWQ, uses activations (awq)'],
] as const;

const RANGES = [
  ['minmax', 'Minimum and maximum (minmax)'],
  ['average', 'Average of minimum and maximum (average)'],
  ['entropy', 'Entropy (entropy)'],
  ['percentile', 'Percentile (percentile)'],
  ['mse', 'Mean squared error (mse)'],
] as const;

const REPAIRS = [
  ['equalize', 'Equalize channel ranges (equalize)'],
  ['smooth', 'Move activation outliers into weights (smooth)'],
  ['adaround', 'Learn rounding directions (adaround)'],
  ['bias', 'Correct bias (bias)'],
] as const;

/** The quantisation settings, with the toolkit's names beside plain ones. */
export function Choices() {
  const { method, perChannel, exclude } = settings.value;
  return (
    <>
      <Choice title="Method" value={method} options={METHODS} onChange={(method) => change({ method })} />
      {method === 'weights' && <OfWeights />}
      {method === 'static' && <OfRanges />}
      {method !== 'weights' && (
        <Check title="Per channel" value={perChannel} onChange={(perChannel) => change({ perChannel })} />
      )}
      <label class="label">
        Exclude nodes (names, * as wildcard)
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
      <Choice title="Block size" value={block} options={BLOCKS} onChange={(block) => change({ block })} />
      <Choice title="Rounding" value={rounding} options={ROUNDINGS} onChange={(rounding) => change({ rounding })} />
    </div>
  );
}

function OfRanges() {
  const { calibration, repair } = settings.value;
  return (
    <>
      <Choice
        title="Calibration"
        value={calibration}
        options={RANGES}
        onChange={(calibration) => change({ calibration })}
      />
      <fieldset>
        <legend>Accuracy recovery</legend>
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
