/** Human-readable numbers: three significant digits, with a unit. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const power = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return power === 0 ? `${bytes} B` : `${digits(bytes / 1000 ** power)} ${units[power]}`;
}

export function formatCount(count: number): string {
  const units = ['', ' k', ' M', ' G', ' T'];
  const power = count < 10_000 ? 0 : Math.min(4, Math.floor(Math.log10(count) / 3));
  return power === 0 ? `${count}` : `${digits(count / 1000 ** power)}${units[power]}`;
}

export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds >= 1000) return `${digits(milliseconds / 1000)} s`;
  return milliseconds > 0 && milliseconds < 0.01 ? `${digits(milliseconds * 1000)} µs` : `${digits(milliseconds)} ms`;
}

/** A whole number with thousands separators; the platform's own formatting takes 40 ms on first use. */
export const grouped = (count: number): string => `${count}`.replace(/(?<=\d)(?=(\d{3})+$)/g, ',');

/** Three significant digits; below a thousandth with an exponent, which is shorter than the zeros. */
export function digits(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || !Number.isFinite(size)) return `${value}`;
  if (size >= 1e6 || size < 1e-3) return value.toExponential(2);
  return size >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** `1 file`, `3 files`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
