/** The number below which the given share of the numbers lies, by nearest rank; NaN if there are none. */
export function quantile(numbers: ArrayLike<number>, part: number): number {
  const sorted = Float64Array.from(numbers).sort();
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(part * sorted.length) - 1))] ?? Number.NaN;
}
