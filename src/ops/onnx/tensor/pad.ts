import { add, isKnown, maximum, type Size } from '../../../graph/sizes.js';
import {
  PAD_MODES,
  type Padding,
  type PadMode,
  type PadParameters,
  pad as primitive,
} from '../../../primitives/pad.js';
import { float, ints, string } from '../../../schema/attributes.js';
import { by, defineOp, type Inference, type Restatement } from '../../../schema/definition.js';
import { ANY, FLOATS, INDICES } from '../../../schema/element-sets.js';
import { axesOf, like } from '../../../schema/shapes.js';
import { int64List, tensorOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';

/** From opset 11 on, all but the mode are inputs. */
interface PadAttributes {
  readonly mode: string;
  readonly value?: number;
  readonly pads?: readonly number[];
  readonly paddings?: readonly number[];
}

function paddingsOf(c: Inference<PadAttributes>, rank: number): Padding[] | undefined {
  const list: readonly Size[] | undefined = c.attributes.pads ?? c.attributes.paddings ?? c.sizes(1);
  const named = c.given(3) ? c.sizes(3) : Array.from({ length: rank }, (_, i) => i);
  if (!isKnown(list) || !isKnown(named)) return undefined;
  const padded = axesOf(c, named, rank);
  if (list.length !== 2 * padded.length)
    c.fail('INVALID_VALUE', `pads [${list}] must have ${2 * padded.length} entries`);
  return Array.from({ length: rank }, (_, axis): Padding => {
    const i = padded.indexOf(axis);
    return i < 0 ? [0, 0] : [list[i] as number, list[i + padded.length] as number];
  });
}

/** The fill value of mode `constant`; undefined: zero. */
function fillOf(c: Inference<PadAttributes>): TensorValue | undefined {
  const { value } = c.attributes;
  if (value !== undefined) return tensorOf(c.element(0), [1], [value]);
  return c.given(2) ? c.contents(2) : undefined;
}

function modeOf(c: Inference<PadAttributes>): PadMode {
  const { mode } = c.attributes;
  const known = PAD_MODES.find((word) => word === mode);
  return known ?? c.fail('INVALID_ATTRIBUTE', `mode "${mode}" is not one of ${PAD_MODES.join(', ')}`);
}

function parametersOf(c: Inference<PadAttributes>): PadParameters | undefined {
  const dims = c.dims(0);
  const paddings = dims && paddingsOf(c, dims.length);
  const isOpen = c.given(2) && !c.contents(2);
  return paddings && !isOpen ? { mode: modeOf(c), paddings, fill: fillOf(c) } : undefined;
}

function restate(c: Inference<PadAttributes>, { paddings }: PadParameters): Restatement | undefined {
  if (!c.contents(1) || c.given(3)) return undefined;
  const pads = [0, 1].flatMap((end) => paddings.map((padding) => padding[end] as number));
  return { attributes: c.node.attributes, contents: { 1: int64List(pads) } };
}

const rules = {
  guarded: true,
  infer(c: Inference<PadAttributes>) {
    const dims = c.dims(0);
    const paddings = dims && paddingsOf(c, dims.length);
    const padded = dims?.map((dim, axis) => {
      const [before, after] = paddings?.[axis] ?? [0, 0];
      if (!paddings) return c.unknown();
      return maximum(add(dim, before + after), 0);
    });
    return [like(c, 0, padded)];
  },
  computes: by(primitive, parametersOf, restate),
};

const padAttributes = { mode: string('constant'), value: float(0) };

/** https://onnx.ai/onnx/operators/onnx__Pad.html */
export const pad = [
  defineOp({
    name: 'Pad',
    since: 11,
    signature: 'data: T, pads: int64, constant_value?: T, axes?: Tind -> output: T',
    types: { T: ANY, Tind: INDICES },
    attributes: { mode: string('constant') },
    planned: [1, 2, 3],
    ...rules,
  }),
  defineOp({
    name: 'Pad',
    since: 2,
    signature: 'data: T -> output: T',
    types: { T: FLOATS },
    attributes: { ...padAttributes, pads: ints.required },
    ...rules,
  }),
  defineOp({
    name: 'Pad',
    signature: 'data: T -> output: T',
    types: { T: FLOATS },
    attributes: { ...padAttributes, paddings: ints.required },
    ...rules,
  }),
];
