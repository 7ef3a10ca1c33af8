/** The names that stand for values at one place of a graph, and what is known of their types. */
export interface Scope {
  readonly outer: Scope | undefined;
  /** Values with their types, as src/tools/check/type-text.ts writes them; undefined: not known. */
  readonly values: Map<string, string | undefined>;
  /** Which node of this graph makes a value, also those still to come. */
  readonly producers: ReadonlyMap<string, number>;
}

export const newScope = (outer?: Scope, producers: ReadonlyMap<string, number> = new Map()): Scope => ({
  outer,
  values: new Map(),
  producers,
});

/** The scope that has a name, beginning with the innermost. */
export function scopeOf(name: string, scope: Scope): Scope | undefined {
  for (let s: Scope | undefined = scope; s; s = s.outer) if (s.values.has(name)) return s;
  return undefined;
}

/** Some of the names that can be seen, the nearest first. */
export function visibleNames(scope: Scope, most = 500): string[] {
  const names: string[] = [];
  for (let s: Scope | undefined = scope; s; s = s.outer)
    for (const name of [...s.values.keys()].reverse()) {
      if (names.length >= most) return names;
      names.push(name);
    }
  return names;
}
