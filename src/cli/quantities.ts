const scaled = (value: number, step: number, units: readonly string[]): string => {
  let unit = 0;
  while (value >= step && unit < units.length - 1) {
    value /= step;
    unit++;
  }
  return `${unit === 0 ? value : Number(value.toPrecision(3))} ${units[unit]}`.trim();
};

export const formatBytes = (bytes: number): string => scaled(bytes, 1000, ['B', 'kB', 'MB', 'GB']);

/** Formats a count, such as `11.2 M` for 11 200 000. */
export const formatCount = (count: number): string => scaled(count, 1000, ['', 'k', 'M', 'G', 'T']);

export const formatMilliseconds = (ms: number): string =>
  ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms >= 100 ? ms.toFixed(0) : ms.toPrecision(3)} ms`;

export const formatError = (error: number): string => (error === 0 ? '0' : error.toExponential(1));

export const formatShape = (dims: readonly (number | string)[]): string => (dims.length ? dims.join('×') : 'scalar');

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
