import { KINDS, type Kind, type SearchIndex } from '../contracts/search-index.js';
import type { Term } from './query.js';

/** Columns of texts, as bits: a text may be in several. */
const COLUMNS = { name: 1, operator: 2, type: 4, attributes: 8 } as const;
type Column = keyof typeof COLUMNS;

/** An index prepared for searches. */
export interface Searchable {
  readonly index: SearchIndex;
  /** The strings in lower case. */
  readonly lower: readonly string[];
  /** The columns that contain each string. */
  readonly columns: Uint8Array;
}

export function searchable(index: SearchIndex): Searchable {
  const columns = new Uint8Array(index.strings.length);
  for (const [name, bit] of Object.entries(COLUMNS))
    for (const text of index[name as Column]) columns[text] = (columns[text] as number) | bit;
  columns[0] = 0;
  return { index, lower: index.strings.map((text) => text.toLowerCase()), columns };
}

/** A term's conditions on the text in each column; one match is enough. */
type Asks = Partial<Readonly<Record<Column, (text: string, lower: string) => boolean>>>;

/** Splits `float32[1, 3]` into its element type and sizes. */
function partsOf(type: string): { element: string; sizes: string[] } {
  const [, element = '', list] = /^([^[]*)(?:\[(.*)\])?$/s.exec(type) ?? [];
  return { element, sizes: list ? list.split(',').map((size) => size.trim()) : [] };
}

const hasShape = (type: string, wanted: readonly string[]): boolean => {
  const { sizes } = partsOf(type);
  return (
    type.endsWith(']') && sizes.length === wanted.length && wanted.every((size, i) => size === '?' || size === sizes[i])
  );
};

function hasAttribute(lines: string, name: string, value: string): boolean {
  const line = lines.split('\n').find((each) => each.startsWith(`${name}=`));
  if (line === undefined) return false;
  const items = line.slice(name.length + 1).split(', ');
  const wanted = value.split(/,\s*/);
  return value === '' || (wanted.length > 1 ? `${wanted}` === `${items}` : items.includes(value));
}

const inNames = (holds: (text: string) => boolean): Asks => ({ name: holds, operator: holds, type: holds });

function asksOf(term: Term): Asks {
  switch (term.kind) {
    case 'word': {
      const { text } = term;
      return {
        name: (_, name) => name.includes(text),
        operator: (_, operator) => operator.includes(text),
        type: (_, type) => isInType(type, text),
        attributes: (_, lines) => `\n${lines}`.includes(`\n${text}=`),
      };
    }
    case 'exact':
      return inNames((text) => text === term.text);
    case 'attribute':
      return { attributes: (lines) => hasAttribute(lines, term.name, term.value) };
    case 'shape':
      return { type: (type) => hasShape(type, term.sizes) };
    case 'pattern':
      return inNames((text) => term.pattern.test(text));
  }
}

/** The columns in which each string matches a term. Each string is checked once, however many rows have it. */
function hitsOf(term: Term, { index: { strings }, lower, columns }: Searchable): Uint8Array {
  const hits = new Uint8Array(strings.length);
  for (const [name, holds] of Object.entries(asksOf(term))) {
    const bit = COLUMNS[name as Column];
    for (let i = 1; i < strings.length; i++)
      if ((columns[i] as number) & bit && holds(strings[i] as string, lower[i] as string))
        hits[i] = (hits[i] as number) | bit;
  }
  return hits;
}

function isInType(type: string, text: string): boolean {
  const { element, sizes } = partsOf(type);
  return element === text || sizes.includes(text);
}

/** The rows of these kinds that match all terms, in order. */
export function matches(of: Searchable, terms: readonly Term[], kinds: readonly Kind[]): Int32Array {
  const { name, operator, type, attributes, kind } = of.index;
  const isOut = new Uint8Array(kind.length);
  for (const term of terms) {
    const hits = hitsOf(term, of);
    const hit = (column: Int32Array, row: number) => hits[column[row] as number] as number;
    for (let row = 0; row < isOut.length; row++) {
      const found = (hit(name, row) & 1) | (hit(operator, row) & 2) | (hit(type, row) & 4) | (hit(attributes, row) & 8);
      if (found === 0) isOut[row] = 1;
    }
  }
  const isWanted = KINDS.map((each) => kinds.includes(each));
  const rows: number[] = [];
  for (let row = 0; row < isOut.length; row++) if (!isOut[row] && isWanted[kind[row] as number]) rows.push(row);
  return Int32Array.from(rows);
}
