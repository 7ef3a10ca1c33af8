import { intAttribute } from '../../../graph/attributes.js';
import { arithmeticOn, castTo, emitOne } from '../../emit.js';
import type { Spelling, Spellings } from './backward.js';

const LARGEST = 255;

/** The scale has a gradient: it depends on the extremes of the input. */
const dynamicQuantizeLinear: Spelling = (c) => {
  const x = c.input(0);
  const f = arithmeticOn(c, 'float32');
  const extreme = (op: string) => emitOne(c, op, [x], { keepdims: intAttribute(0) });
  const low = f('Min', extreme('ReduceMin'), 0);
  const range = f('Sub', f('Max', extreme('ReduceMax'), 0), low);
  const scale = f('Where', f('Equal', range, 0), 1, f('Div', range, LARGEST));
  const zeroPoint = castTo(c, f('Round', f('Clip', f('Neg', f('Div', low, scale)), 0, LARGEST)), 'uint8');
  return [emitOne(c, 'QuantizeLinear', [x, scale, zeroPoint]), scale, zeroPoint];
};

export const quantization: Spellings = { DynamicQuantizeLinear: dynamicQuantizeLinear };
