import { SardonyxError } from '../base/errors.js';
import type { ValueMetadata } from '../graph/metadata.js';
import type { ElementType } from '../tensor/element-types.js';
import type { Size } from './fit.js';
import { CHANNELS, type Channels, oneOf } from './normalization.js';

/** The order of dimensions: batch, channels, height, width; or channels last. */
export type Layout = 'NCHW' | 'NHWC';

/** A session with one image input, or the metadata of that input. */
export type PictureInput = ValueMetadata | { readonly inputMetadata: readonly ValueMetadata[] };

export interface FormOptions {
  /** The input that determines layout, size, channels and type. */
  readonly for?: PictureInput | undefined;
  /** Height and width, or one number for both; default: those of the model, or else of the image. */
  readonly size?: number | readonly [height: number | undefined, width: number | undefined] | undefined;
  readonly layout?: Layout | undefined;
  readonly channels?: Channels | undefined;
  readonly type?: PictureType | undefined;
}

/** The form of a tensor of images; a size may depend on the image. */
export interface TensorForm {
  readonly type: PictureType;
  readonly layout: Layout;
  readonly channels: Channels;
  readonly height: number | undefined;
  readonly width: number | undefined;
  /** Number of images in the tensor, if fixed. */
  readonly batch: number | undefined;
  /** 3 means that there is no batch dimension. */
  readonly rank: 3 | 4;
}

/** Types that can hold 0 … 255. */
const TYPES = [
  'float32',
  'float16',
  'float64',
  'bfloat16',
  'uint8',
  'uint16',
  'int16',
  'uint32',
  'int32',
  'uint64',
  'int64',
] as const satisfies readonly ElementType[];

/** Element types of a tensor of images. */
export type PictureType = (typeof TYPES)[number];

/** @throws SardonyxError INVALID_ARGUMENT if an option is invalid or contradicts the input */
export function formOf(options: FormOptions): TensorForm {
  const [height, width] = sizeOf(options.size);
  const { layout = 'NCHW', channels = 'RGB', type = 'float32' } = options;
  const form = options.for
    ? formOfInput(inputOf(options.for), options, { height, width })
    : ({ layout, channels, type, height, width, batch: undefined, rank: 4 } as const);
  oneOf(form.layout, ['NCHW', 'NHWC'], 'layout');
  oneOf(form.channels, Object.keys(CHANNELS) as Channels[], 'channels');
  oneOf(form.type as PictureType, TYPES, 'the type of a picture');
  return form as TensorForm;
}

function sizeOf(size: FormOptions['size']): readonly (number | undefined)[] {
  if (size === undefined) return [];
  const sides = typeof size === 'number' ? [size, size] : size;
  if (sides.length === 2 && sides.every((side) => side === undefined || (Number.isInteger(side) && side > 0)))
    return sides;
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    `size is [height, width], or one number for both, not ${JSON.stringify(size)}`,
  );
}

type TensorMetadata = Extract<ValueMetadata, { isTensor: true }>;

const isCount = (dim: unknown) => dim === 1 || dim === 3 || dim === 4;
const isOpen = (dim: unknown) => typeof dim === 'string';

const takesPicture = (input: ValueMetadata): input is TensorMetadata =>
  input.isTensor &&
  (input.shape.length === 3 || input.shape.length === 4) &&
  [input.shape.at(-3), input.shape.at(-1)].some((dim) => isCount(dim) || isOpen(dim));

const described = (input: ValueMetadata) =>
  `"${input.name}" ${input.isTensor ? `${input.type}[${input.shape}]` : 'no tensor'}`;

function inputOf(given: PictureInput): TensorMetadata {
  const inputs = 'inputMetadata' in given ? given.inputMetadata.filter(({ hasDefault }) => !hasDefault) : [given];
  const [input, ...others] = inputs.filter(takesPicture);
  if (input && others.length === 0) return input;
  if (!('inputMetadata' in given))
    throw new SardonyxError('INVALID_ARGUMENT', `the input ${described(given)} takes no picture`);
  const which = input ? 'more than one input takes a picture: give the metadata of one' : 'no input takes a picture';
  throw new SardonyxError('INVALID_ARGUMENT', `${which}; there are ${inputs.map(described).join(', ')}`);
}

/** Derives the form from an input [N,C,H,W] or [N,H,W,C], with or without N. If both are possible, channels are first. */
function formOfInput(
  input: TensorMetadata,
  options: FormOptions,
  size: Partial<Size>,
): Omit<TensorForm, 'type'> & { readonly type: ElementType } {
  const { shape, type, name } = input;
  const [a, b, c] = shape.slice(-3);
  const likely = isCount(a) ? 'NCHW' : isCount(c) ? 'NHWC' : isOpen(a) ? 'NCHW' : 'NHWC';
  const layout = options.layout ?? likely;
  const [height, width, count] = layout === 'NCHW' ? [b, c, a] : [a, b, c];
  const agreed = (what: string, dim: string | number | undefined, chosen: number | undefined) => {
    if (typeof dim !== 'number') return chosen;
    if (chosen === undefined || chosen === dim) return dim;
    throw new SardonyxError('INVALID_ARGUMENT', `the input ${described(input)} has the ${what} ${dim}, not ${chosen}`, {
      value: name,
    });
  };
  if (options.type && options.type !== type)
    throw new SardonyxError('INVALID_ARGUMENT', `the input ${described(input)} is not of type ${options.type}`, {
      value: name,
    });
  const asked = options.channels && CHANNELS[options.channels]?.length;
  const number = agreed('number of channels', count, asked) ?? 3;
  return {
    type,
    layout,
    channels: options.channels ?? (number === 1 ? 'grey' : number === 4 ? 'RGBA' : 'RGB'),
    height: agreed('height', height, size.height),
    width: agreed('width', width, size.width),
    batch: shape.length === 4 && typeof shape[0] === 'number' ? shape[0] : undefined,
    rank: shape.length as 3 | 4,
  };
}
