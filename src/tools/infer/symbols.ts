import { type Dim, mapSizes, type ValueType } from '../../graph/types.js';

/** Sizes as they are computed with, and as a model names them. */
export interface Symbols {
  /** A type that the model has. */
  readonly read: (type: ValueType) => ValueType;
  /** What the model is told of a size: an expression in its own names, or a name that it has not used. */
  readonly write: (dim: Dim) => Dim;
}

/** What can stand in an expression as it is. */
const NAME = /^[A-Za-z_][\w.]*$/;
/** What `read` has put in the place of another name. */
const TOKEN = /\$\d+/g;
/** Sums and products of names and numbers. */
const ARITHMETIC = /^[\w.$+*()-]+$/;
const CALL = /[\w$]\(/;

/** `taken` are the names that stand anywhere in the model. */
export function symbolsOf(taken: ReadonlySet<string>): Symbols {
  const tokens = new Map<string, string>();
  const names: string[] = [];
  const fresh = new Map<string, string>();
  let count = 0;
  const tokenOf = (name: string): string => {
    const token = tokens.get(name) ?? `$${names.push(name) - 1}`;
    tokens.set(name, token);
    return token;
  };
  const nameOf = (token: string): string => names[Number(token.slice(1))] as string;
  const read = (dim: Dim): Dim => {
    // The reader has numbered the sizes that have no name.
    const isPlain = typeof dim === 'number' || NAME.test(dim) || /^\?\d+$/.test(dim);
    return isPlain ? dim : tokenOf(dim);
  };
  const free = (): string => {
    for (;;) {
      const name = `unk__${count++}`;
      if (!taken.has(name)) return name;
    }
  };
  const write = (dim: Dim): Dim => {
    if (typeof dim === 'number') return dim;
    if (/^\$\d+$/.test(dim)) return nameOf(dim);
    if (ARITHMETIC.test(dim) && !CALL.test(dim)) return plain(dim.replace(TOKEN, (token) => `(${nameOf(token)})`));
    const name = fresh.get(dim) ?? free();
    fresh.set(dim, name);
    return name;
  };
  return { read: (type) => mapSizes(type, read), write };
}

/** Without the parentheses around all of it. */
function plain(text: string): string {
  let depth = 0;
  for (const [i, character] of [...text].entries()) {
    depth += Number(character === '(') - Number(character === ')');
    if (depth === 0) return i > 0 && i === text.length - 1 ? text.slice(1, -1) : text;
  }
  return text;
}
