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
  return milliseconds >= 1000 ? `${digits(milliseconds / 1000)} s` : `${digits(milliseconds)} ms`;
}

export const digits = (value: number): string =>
  value === 0 || !Number.isFinite(value)
    ? `${value}`
    : Math.abs(value) >= 100
      ? value.toFixed(0)
      : value.toPrecision(3);
