import { tolerance } from './state.js';

/** The largest relative L2 distance that counts as equal. */
export const ToleranceField = () => (
  <label class="label">
    Tolerance (relative L2)
    <input
      class="field size"
      type="text"
      inputMode="decimal"
      value={tolerance.value === 1e-4 ? '1e-4' : `${tolerance.value}`}
      onInput={({ currentTarget: { value } }) => {
        const number = Number(value);
        if (value.trim() !== '' && number >= 0) tolerance.value = number;
      }}
    />
  </label>
);
