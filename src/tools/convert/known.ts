import type { Fact } from '../../graph/facts.js';
import { type Size, symbol } from '../../graph/sizes.js';
import { formatType, tensorType, type ValueType } from '../../graph/types.js';

/** Known facts about the values of a graph, by name. */
export interface Known {
  readonly facts: ReadonlyMap<string, Fact>;
  /** Facts about subgraphs, by `keyOf`. */
  readonly inner: ReadonlyMap<string, Known>;
}

export const NOTHING: Known = { facts: new Map(), inner: new Map() };

/** The key of a subgraph: the node's first output and the attribute's name. */
export const keyOf = (outputs: readonly string[], attribute: string): string =>
  `${outputs.find(Boolean)}\n${attribute}`;

export interface KnownModel {
  readonly graph: Known;
  /** Facts that hold for every call of a function, by `functionKey`. */
  readonly functions: ReadonlyMap<string, Known>;
}

/** Removes the prefix of inlined names, to restore the function's own names. */
export const withoutPrefix = ({ facts, inner }: Known): Known => ({
  facts: new Map([...facts].map(([name, fact]) => [name.replace(/^\//, ''), fact])),
  inner: new Map([...inner].map(([key, known]) => [key.replace(/^\//, ''), withoutPrefix(known)])),
});

/** The facts that hold in both. */
export function met(a: Known, b: Known): Known {
  const facts = [...a.facts].flatMap(([name, fact]): [string, Fact][] => {
    const type = metTypes(fact.type, b.facts.get(name)?.type);
    const { contents } = fact;
    const isSame = contents !== undefined && b.facts.get(name)?.contents === contents;
    return type ? [[name, isSame ? { type, contents } : { type }]] : [];
  });
  const inner = [...a.inner].flatMap(([key, known]): [string, Known][] => {
    const other = b.inner.get(key);
    return other ? [[key, met(known, other)]] : [];
  });
  return { facts: new Map(facts), inner: new Map(inner) };
}

function metTypes(a: ValueType, b: ValueType | undefined): ValueType | undefined {
  if (!b || formatType(a) === formatType(b)) return b && a;
  if (a.kind !== 'tensor' || b.kind !== 'tensor' || a.element !== b.element) return undefined;
  const { dims } = b;
  if (!a.dims || a.dims.length !== dims?.length) return tensorType(a.element);
  return tensorType(
    a.element,
    a.dims.map((dim, i): Size => (dim === dims[i] ? dim : symbol(`?${i}`))),
  );
}
