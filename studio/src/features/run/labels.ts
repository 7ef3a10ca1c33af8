/** Names of classes: one per line, a JSON list, or a JSON or Python object by number, `{0: 'person', 1: 'bicycle'}`. */
export function parseLabels(text: string): readonly string[] | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (!/^[[{]/.test(trimmed)) return trimmed.split(/\r?\n/).map((line) => line.trim());
  return asJson(trimmed) ?? pairs(trimmed);
}

function asJson(text: string): readonly string[] | null {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value.map(String);
    return byNumber(Object.entries(value as object).map(([key, name]) => [Number(key), String(name)]));
  } catch {
    return null;
  }
}

const PAIR = /(\d+)\s*:\s*(?:'([^']*)'|"([^"]*)")/g;

const pairs = (text: string) =>
  byNumber([...text.matchAll(PAIR)].map(([, key, one, other]) => [Number(key), one ?? other ?? '']));

function byNumber(entries: readonly (readonly [number, string])[]): readonly string[] | null {
  const labels: string[] = [];
  for (const [index, name] of entries) if (index >= 0 && index < 100_000) labels[index] = name;
  return labels.length > 0 ? Array.from(labels, (name, i) => name ?? `${i}`) : null;
}
