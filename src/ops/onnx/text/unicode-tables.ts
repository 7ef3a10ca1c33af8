/** First, last and 1 of each range, one after the other: what re2js has tables of. */
type Ranges = readonly number[];

/** All code points but surrogates, which stand for no character, and how many units each of them takes in a text. */
const BLOCKS = [
  { first: 0, last: 0xd7ff, units: 1 },
  { first: 0xe000, last: 0xffff, units: 1 },
  { first: 0x10000, last: 0x10ffff, units: 2 },
] as const;
const SURROGATES: Ranges = [0xd800, 0xdfff, 1];

/** RE2's names of general categories. */
const CATEGORIES = new Set(
  'C Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs'.split(' '),
);

function textOf({ first, last, units }: (typeof BLOCKS)[number]): string {
  const codes = new Uint16Array((last + 1 - first) * units);
  for (let code = first, i = 0; code <= last; code++, i += units) {
    codes[i] = units === 1 ? code : 0xd7c0 + (code >> 10);
    if (units === 2) codes[i + 1] = 0xdc00 | (code & 0x3ff);
  }
  return new TextDecoder('utf-16le', { ignoreBOM: true }).decode(codes);
}

/** The ranges of code points that a class has: some 50 ms. */
function matched(characters: string, flags = ''): Ranges {
  const runs = new RegExp(`${characters}+`, `gu${flags}`);
  return BLOCKS.flatMap((block) =>
    Array.from(textOf(block).matchAll(runs), ({ 0: { length }, index }) => {
      const start = block.first + index / block.units;
      return [start, start + length / block.units - 1, 1];
    }).flat(),
  );
}

/** What a class has only where case does not count. */
function folded(characters: string): Ranges {
  const plain = new RegExp(characters, 'u');
  const ranges = matched(characters, 'i');
  return ranges.flatMap((first, i) => {
    if (i % 3 !== 0) return [];
    const codes = Array.from({ length: (ranges[i + 1] as number) + 1 - first }, (_, k) => first + k);
    return codes.filter((code) => !plain.test(String.fromCodePoint(code))).flatMap((code) => [code, code, 1]);
  });
}

const isScript = (name: string): boolean => {
  try {
    return /^\w+$/.test(name) && new RegExp(`\\p{Script=${name}}`, 'u') !== undefined;
  } catch {
    return false;
  }
};

const classOf = (category: string): string => `\\p{${category}}`;

function category(name: string): Ranges {
  if (name === 'Cs') return SURROGATES;
  const ranges = matched(classOf(name));
  if (name !== 'C') return ranges;
  const after = ranges.findIndex((code, i) => i % 3 === 0 && code > 0xd800);
  return [...ranges.slice(0, after), ...SURROGATES, ...ranges.slice(after)];
}

/** What is computed when a name is asked for, and kept. */
function kept<T>(has: (name: string) => boolean, make: (name: string) => T | null) {
  const known = new Map<string, T | null>();
  const get = (name: string): T | null => {
    if (!known.has(name)) known.set(name, make(name));
    return known.get(name) as T | null;
  };
  return { has, get };
}

/**
 * The tables of re2js by the engine's own regular expressions, which have the Unicode of the host: tables take 15 kB of the package.
 * `tableOf` makes one out of ranges; re2js asks for no fold where there is none.
 */
export function unicodeTables<T>(tableOf: (ranges: Uint32Array) => T) {
  const made = (ranges: Ranges): T => tableOf(Uint32Array.from(ranges));
  const ifAny = (ranges: Ranges): T | null => (ranges.length ? made(ranges) : null);
  const isCategory = (name: string) => CATEGORIES.has(name);
  const script = (name: string) => `\\p{Script=${name}}`;
  const CATEGORY_TABLES = kept(isCategory, (name) => made(category(name)));
  const PRINT = kept(isCategory, () => made(matched('[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]')));
  return {
    CATEGORIES: CATEGORY_TABLES,
    FOLD_CATEGORIES: kept(isCategory, (name) => (name === 'Cs' ? null : ifAny(folded(classOf(name))))),
    SCRIPTS: kept(isScript, (name) => made(matched(script(name)))),
    FOLD_SCRIPT: kept(isScript, (name) => ifAny(folded(script(name)))),
    get Upper() {
      return CATEGORY_TABLES.get('Lu');
    },
    get Print() {
      return PRINT.get('');
    },
  };
}
