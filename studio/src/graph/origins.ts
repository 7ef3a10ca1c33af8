import { NodeFlag, type Outline } from './outline.js';

/** The prefixes of a graph's node ids: its path, and for a function's body each of its calls. */
export function prefixesOf(path: string, whole: Outline): string[] {
  const [, name, rest = ''] = /^function\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  if (name === undefined) return [path && `${path}/`];
  const { count, flags, domain, operator } = whole.nodes;
  const calls = Array.from({ length: count }, (_, i) => i).filter((i) => {
    const own = `${whole.strings[domain[i] as number]}:${whole.strings[operator[i] as number]}`;
    return ((flags[i] as number) & NodeFlag.isFunctionCall) !== 0 && own === name;
  });
  return calls.map((call) => `${call}${rest}/`);
}

/** The nodes of the graph that origins lead to, with each one's share. */
export function sharesOf(origins: readonly string[], prefixes: readonly string[]): Map<number, number> {
  const shares = new Map<number, number>();
  for (const origin of origins) {
    const prefix = prefixes.find((each) => origin.startsWith(each));
    const node = prefix === undefined ? Number.NaN : Number.parseInt(origin.slice(prefix.length), 10);
    if (Number.isInteger(node)) shares.set(node, (shares.get(node) ?? 0) + 1 / origins.length);
  }
  return shares;
}
