/** Parses a positive number; undefined for anything else. */
export function toNumber(text: string): number | undefined {
  const value = Number(text);
  return text.trim() !== '' && value > 0 && Number.isFinite(value) ? value : undefined;
}
