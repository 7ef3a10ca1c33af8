import type { Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { int, string, strings } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';

const CASES = ['NONE', 'LOWER', 'UPPER'];

/** Converts a POSIX locale (`de_DE.UTF-8`) to a language tag for JavaScript. */
function languageTag(c: Inference<unknown>, locale: string): string {
  const name = locale.replace(/[.@].*$/, '').replaceAll('_', '-');
  if (name === '' || name === 'C' || name === 'POSIX') return 'en-US';
  try {
    return Intl.getCanonicalLocales(name)[0] as string;
  } catch {
    return c.fail('INVALID_ATTRIBUTE', `"${locale}" is not a locale`);
  }
}

/** The shape, which must be [C] or [1, C]. */
function checkedDims(c: Inference<unknown>): readonly Size[] | undefined {
  const dims = c.dims(0);
  const isRow = dims?.length === 2 && (dims[0] === 1 || typeof dims[0] !== 'number');
  if (dims && dims.length !== 1 && !isRow) c.fail('INVALID_SHAPE', `input 0 must be [C] or [1,C], not [${dims}]`);
  return dims;
}

/** https://onnx.ai/onnx/operators/onnx__StringNormalizer.html */
export const stringNormalizer = defineOp({
  name: 'StringNormalizer',
  since: 10,
  signature: 'X: string -> Y: string',
  attributes: {
    case_change_action: string('NONE'),
    is_case_sensitive: int(0),
    locale: string('en_US'),
    stopwords: strings([]),
  },
  infer(c) {
    const dims = checkedDims(c);
    return [tensorType('string', dims?.with(-1, c.unknown()))];
  },
  evaluate(c) {
    const { case_change_action: action, is_case_sensitive: isSensitive, locale, stopwords } = c.attributes;
    if (!CASES.includes(action))
      c.fail('INVALID_ATTRIBUTE', `case_change_action "${action}" is not one of ${CASES.join(', ')}`);
    const tag = languageTag(c, locale);
    const keyOf = (word: string) => (isSensitive ? word : word.toLocaleLowerCase(tag));
    const stops = new Set(stopwords.map(keyOf));
    const kept = (c.tensor(0).data as readonly string[]).filter((word) => !stops.has(keyOf(word)));
    const words = kept.map((word) => {
      if (action === 'NONE') return word;
      return action === 'LOWER' ? word.toLocaleLowerCase(tag) : word.toLocaleUpperCase(tag);
    });
    const data = words.length > 0 ? words : [''];
    return [{ type: 'string', dims: (checkedDims(c) as readonly number[]).with(-1, data.length), data }];
  },
});
