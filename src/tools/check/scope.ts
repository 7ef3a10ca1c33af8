/** The visible value names at one point of a graph, and their known types. */
export interface Scope {
  readonly outer: Scope | undefined;
  /** Types of values in the format of src/tools/check/type-text.ts, by name; undefined if unknown. */
  readonly values: Map<string, string | undefined>;
  /** The index of the node of this graph that produces a value, including later nodes. */
  readonly producers: ReadonlyMap<string, number>;
}

export const newScope = (outer?: Scope, producers: ReadonlyMap<string, number> = new Map()): Scope => ({
  outer,
  values: new Map(),
  producers,
});

/** The innermost scope that contains a name. */
export function scopeOf(name: string, scope: Scope): Scope | undefined {
  for (let s: Scope | undefined = scope; s; s = s.outer) if (s.values.has(name)) return s;
  return undefined;
}

/** Some of the visible names, innermost scope first. */
export function visibleNames(scope: Scope, most = 500): string[] {
  const names: string[] = [];
  for (let s: Scope | undefined = scope; s; s = s.outer)
    for (const name of [...s.values.keys()].reverse()) {
      if (names.length >= most) return names;
      names.push(name);
    }
  return names;
}
