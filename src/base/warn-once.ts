const warned = new Set<string>();

/** Texts name what models call their values: a server that loads models for months would gather them all. */
const MOST_REMEMBERED = 500;

export function warnOnce(message: string): void {
  if (warned.has(message)) return;
  if (warned.size >= MOST_REMEMBERED) warned.clear();
  warned.add(message);
  console.warn(`sardonyx: ${message}`);
}
