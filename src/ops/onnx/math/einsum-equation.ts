import type { Inference } from '../../../schema/definition.js';

/** An Einsum equation with one label per axis; the axes of `...` are labelled `.0`, `.1` … from the last. */
export interface Equation {
  readonly operands: readonly (readonly string[])[];
  readonly output: readonly string[];
}

const ELLIPSIS = '...';

/** The letters of a term, with its ellipsis as one entry. */
const lettersOf = (term: string): string[] => term.match(/\.\.\.|[A-Za-z]|[^\s]/g) ?? [];

/** Reads an equation for operands of the given ranks: https://onnx.ai/onnx/operators/onnx__Einsum.html */
export function parseEquation(c: Inference<unknown>, equation: string, ranks: readonly number[]): Equation {
  const [left = '', right] = equation.replace(/\s/g, '').split('->');
  const terms = left.split(',').map(lettersOf);
  const invalid = (reason: string) => c.fail('INVALID_ATTRIBUTE', `equation "${equation}" ${reason}`);
  const wrong = [...terms.flat(), ...lettersOf(right ?? '')].find((l) => !/^([A-Za-z]|\.\.\.)$/.test(l));
  if (wrong) invalid(`has "${wrong}" instead of a letter or ...`);
  if (terms.length !== ranks.length) invalid(`has ${terms.length} terms for ${ranks.length} inputs`);

  let widest = 0;
  const operands = terms.map((term, i) => {
    const rank = ranks[i] as number;
    const hidden = rank - term.filter((l) => l !== ELLIPSIS).length;
    if (hidden < 0 || (hidden > 0 && !term.includes(ELLIPSIS)))
      invalid(`names ${term.length} axes of input ${i}, of rank ${rank}`);
    widest = Math.max(widest, hidden);
    return spread(term, hidden);
  });
  const output = right === undefined ? implicitOutput(terms, widest) : spread(lettersOf(right), widest);
  const known = new Set(operands.flat());
  const unknown = output.find((label) => !known.has(label));
  if (unknown) invalid(`has "${unknown}" only in its output`);
  return { operands, output };
}

/** The term with its ellipsis expanded to `count` labels. */
const spread = (term: readonly string[], count: number): string[] =>
  term.flatMap((l) => (l === ELLIPSIS ? Array.from({ length: count }, (_, i) => `.${count - 1 - i}`) : [l]));

/** Output labels of an equation without an arrow: the ellipsis, then the letters that occur once, in alphabetical order. */
function implicitOutput(terms: readonly (readonly string[])[], widest: number): string[] {
  const letters = terms.flat().filter((l) => l !== ELLIPSIS);
  const once = letters.filter((l) => letters.indexOf(l) === letters.lastIndexOf(l)).sort();
  return [...spread([ELLIPSIS], widest), ...once];
}
