import type { RE2JS } from 're2js';
import { account } from '../../account.js';
import { onDemand } from '../../base/on-demand.js';
import { tensorType } from '../../graph/types.js';
import { int, string, strings } from '../../schema/attributes.js';
import { defineOp, type Inference } from '../../schema/definition.js';

interface TokenizerAttributes {
  readonly mark: number;
  readonly mincharnum: number;
  readonly pad_value: string;
  readonly separators: readonly string[] | undefined;
  readonly tokenexp: string | undefined;
}

/** Compiles an RE2 pattern with longest-match semantics. */
let compile: typeof RE2JS.compile;

const STEPS_PER_CHARACTER = 64;

const [START, END] = ['\u0002', '\u0003'];

type Split = (text: string) => string[];

function expressionOf(c: Inference<unknown>, pattern: string): RE2JS {
  try {
    return compile(pattern);
  } catch (error) {
    const reason = (error as Error).message.replace(/^error parsing regexp: /, '');
    return c.fail('INVALID_ATTRIBUTE', `"${pattern}" must be a regular expression of RE2: ${reason}`);
  }
}

/** Matches of an expression, except empty ones. */
function* matchesIn(text: string, expression: RE2JS): Generator<[start: number, end: number]> {
  account()?.spend(STEPS_PER_CHARACTER * text.length);
  const matcher = expression.matcher(text);
  while (matcher.find()) if (matcher.end() > matcher.start()) yield [matcher.start(), matcher.end()];
}

/** Parts of a text between matches of a separator. */
function between(text: string, separator: RE2JS): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const [start, end] of matchesIn(text, separator)) {
    parts.push(text.slice(from, start));
    from = end;
  }
  return [...parts, text.slice(from)];
}

/** Returns the function that splits a text into tokens. */
function splitOf(c: Inference<TokenizerAttributes>): Split {
  const { separators, tokenexp, mincharnum } = c.attributes;
  const isLong = (token: string) => token !== '' && [...token].length >= mincharnum;
  if (tokenexp === '.' || (separators?.length === 1 && separators[0] === '')) return (text) => [...text];
  if (tokenexp) {
    const expression = expressionOf(c, tokenexp);
    return (text) => Array.from(matchesIn(text, expression), ([start, end]) => text.slice(start, end)).filter(isLong);
  }
  const expressions = (separators ?? []).map((separator) => expressionOf(c, separator));
  return (text) =>
    expressions.reduce((parts, separator) => parts.flatMap((part) => between(part, separator)), [text]).filter(isLong);
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.Tokenizer */
export const tokenizer = defineOp({
  domain: 'com.microsoft',
  name: 'Tokenizer',
  signature: 'X: string -> Y: string',
  attributes: {
    mark: int.required,
    mincharnum: int.required,
    pad_value: string.required,
    separators: strings(),
    tokenexp: string(),
  },
  async prepare() {
    const { RE2JS: engine } = await onDemand('re2js', () => import('re2js'));
    compile = (pattern) => engine.compile(pattern, engine.LONGEST_MATCH);
  },
  infer(c) {
    const dims = c.dims(0);
    const { separators, tokenexp, mincharnum } = c.attributes;
    if (dims && dims.length !== 1 && dims.length !== 2)
      c.fail('INVALID_SHAPE', `input 0 must be [C] or [N, C], not [${dims}]`);
    if (!separators?.length === !tokenexp)
      c.fail('INVALID_ATTRIBUTE', 'must have either the attribute "separators" or "tokenexp"');
    if (mincharnum < 1) c.fail('INVALID_ATTRIBUTE', `mincharnum must be at least 1, not ${mincharnum}`);
    return [tensorType('string', dims && [...dims, c.unknown()])];
  },
  evaluate(c) {
    const { dims, data } = c.tensor(0);
    if (data.length === 0) return [{ type: 'string', dims: [...dims.slice(0, -1), 0], data: [] }];
    const { mark, pad_value } = c.attributes;
    const rows = Array.from(data as readonly string[], splitOf(c));
    const longest = Math.max(...rows.map((row) => row.length));
    if (longest === 0) return [{ type: 'string', dims: [...dims, 0], data: [] }];
    const filled = rows.flatMap((row) => {
      const padding = new Array<string>(longest - row.length).fill(pad_value);
      return mark ? [START, ...row, END, ...padding] : [...row, ...padding];
    });
    return [{ type: 'string', dims: [...dims, longest + (mark ? 2 : 0)], data: filled as string[] }];
  },
});
