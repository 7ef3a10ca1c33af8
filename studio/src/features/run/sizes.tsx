import type { ValueMetadata } from 'sardonyx';
import { setSize, sizes } from '../../store/session.js';
import { symbolsOf, symbolTitle } from '../../workers/contracts/symbols.js';

/** A size for each open dimension, shared by all inputs that have it. */
export function Sizes({ inputs }: { inputs: readonly ValueMetadata[] }) {
  const symbols = symbolsOf(inputs);
  if (symbols.size === 0) return null;
  return (
    <fieldset class="fields row">
      <legend>Dynamic dimensions</legend>
      {[...symbols].map(([symbol, usual]) => (
        <label key={symbol} class="label">
          <span class="size-name" title={symbol}>
            {symbolTitle(symbol, inputs)}
          </span>
          <input
            class="field size"
            type="number"
            min={0}
            max={1_000_000}
            value={sizes.value.get(symbol) ?? usual}
            onInput={({ currentTarget: { valueAsNumber } }) => {
              if (valueAsNumber >= 0) setSize(symbol, Math.floor(valueAsNumber));
            }}
          />
        </label>
      ))}
    </fieldset>
  );
}
