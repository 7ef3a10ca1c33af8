/** Numbers as people read them: three digits that count, with a unit. */
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

/** A whole number with a comma after each three digits; the platform's own words take 40 ms when they are first asked for. */
export const grouped = (count: number): string => `${count}`.replace(/(?<=\d)(?=(\d{3})+$)/g, ',');

/** Three digits; of what is below a thousandth, with its power of ten, which is shorter than its zeros. */
export function digits(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || !Number.isFinite(size)) return `${value}`;
  if (size >= 1e6 || size < 1e-3) return value.toExponential(2);
  return size >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** `1 file`, `3 files`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
