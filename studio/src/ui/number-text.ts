/** A number with four significant digits, for labels. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e7) return `${value}`;
  return size >= 1e5 || (size < 1e-3 && size > 0) ? value.toExponential(3) : `${Number(value.toPrecision(4))}`;
}

export const shareText = (part: number, of: number): string => {
  const share = (100 * part) / of;
  if (part === 0 || of === 0) return '0 %';
  return share < 0.01 ? '< 0.01 %' : `${share < 10 ? share.toPrecision(2) : share.toFixed(1)} %`;
};
