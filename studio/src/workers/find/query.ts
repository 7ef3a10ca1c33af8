/** One condition of a search; all must hold. */
export type Term =
  /** Part of a name or operator, or the name of an attribute, element type or size. In lower case. */
  | { readonly kind: 'word'; readonly text: string }
  /** An entire name, operator or type. */
  | { readonly kind: 'exact'; readonly text: string }
  /** An attribute; a value must be the attribute's value or one in its list. */
  | { readonly kind: 'attribute'; readonly name: string; readonly value: string }
  /** All sizes in order; '?' matches any. */
  | { readonly kind: 'shape'; readonly sizes: readonly string[] }
  | { readonly kind: 'pattern'; readonly pattern: RegExp };

const QUOTED = /"([^"]*)"?/y;
const PATTERN = /\/((?:\\.|[^\\/])+)\/(i?)(?=\s|$)/y;
const ATTRIBUTE = /([A-Za-z_]\w*)=("[^"]*"?|\S*)/y;
const SHAPE = /\[?((?:[\w?*+ -]+)(?:,\s*[\w?*+ -]+)+)\]?(?=\s|$)|\[([^\]\s]*)\]/y;
const WORD = /\S+/y;

type Reader = (match: RegExpExecArray) => Term;

const sizesOf = (list: string): string[] => (list.trim() === '' ? [] : list.split(',').map((size) => size.trim()));

/** The parts of a search; the first match is used. */
const READERS: readonly (readonly [expression: RegExp, read: Reader])[] = [
  [QUOTED, ([, text = '']) => ({ kind: 'exact', text })],
  [PATTERN, ([, source = '', flags = '']) => ({ kind: 'pattern', pattern: new RegExp(source, `${flags}u`) })],
  [ATTRIBUTE, ([, name = '', value = '']) => ({ kind: 'attribute', name, value: value.replaceAll('"', '') })],
  [SHAPE, ([, list, bracketed]) => ({ kind: 'shape', sizes: sizesOf(list ?? bracketed ?? '') })],
  [WORD, ([text]) => ({ kind: 'word', text: text.toLowerCase() })],
];

/**
 * Parses a search: words, `"exact"`, `attribute=value`, shapes such as `1,3,?`, regular expressions between slashes.
 * @throws SyntaxError if a regular expression is invalid
 */
export function parseQuery(text: string): Term[] {
  const terms: Term[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] === ' ') {
      at++;
      continue;
    }
    for (const [expression, read] of READERS) {
      expression.lastIndex = at;
      const match = expression.exec(text);
      if (!match) continue;
      terms.push(read(match));
      at = expression.lastIndex;
      break;
    }
  }
  return terms;
}
