/** A number above 0, as people type it; undefined where it is none. */
export function toNumber(text: string): number | undefined {
  const value = Number(text);
  return text.trim() !== '' && value > 0 && Number.isFinite(value) ? value : undefined;
}
