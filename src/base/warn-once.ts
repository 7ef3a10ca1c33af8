const warned = new Set<string>();

/** The limit on remembered messages. They contain names from models, so a server that loads models for months would accumulate them. */
const MOST_REMEMBERED = 500;

export function warnOnce(message: string): void {
  if (warned.has(message)) return;
  if (warned.size >= MOST_REMEMBERED) warned.clear();
  warned.add(message);
  console.warn(`sardonyx: ${message}`);
}
