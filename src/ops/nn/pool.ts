import { type Dim, tensorType } from '../../graph/types.js';
import { elementCount } from '../../tensor/tensor-value.js';
import { type AttributeSpecs, int } from '../attributes.js';
import { throughChannelsLast } from '../channels-last.js';
import { type AnyOperator, defineOp, type Inference, type Lowering } from '../definition.js';
import { FLOATS } from '../element-sets.js';
import { grainOf } from '../grain.js';
import { innermost, poolAttributes, volumeFields, type WindowAttributes, windowsOf } from './window.js';

interface PoolAttributes extends WindowAttributes {
  readonly kernel_shape: readonly number[];
  readonly count_include_pad?: number;
  readonly p?: number;
}

type Kernel = 'maxPool' | 'averagePool' | 'lpPool';

function spatialOut(c: Inference<PoolAttributes>, spatial: readonly Dim[]): Dim[] {
  return windowsOf(c, spatial, c.attributes.kernel_shape).map((w) => w.out);
}

function lowerPool(c: Lowering<PoolAttributes>, kernel: Kernel): undefined {
  const x = c.shape(0);
  const channels = x.at(-1) as number;
  const windows = windowsOf(c, x.slice(1, -1), c.attributes.kernel_shape);
  const [depth, height, width] = innermost(windows, 3);
  const pixels = elementCount(c.outputShape(0)) / Math.max(channels, 1);
  const tilePixels = grainOf(pixels, channels * depth.kernel * height.kernel * width.kernel);
  const params = {
    ...volumeFields(windows),
    x: c.input(0),
    y: c.output(0),
    batch: x[0] as number,
    channels,
    xPixelStride: channels,
    yPixelStride: channels,
    padBack: depth.padAfter,
    padBottom: height.padAfter,
    padRight: width.padAfter,
    countIncludePad: c.attributes.count_include_pad ?? 0,
    order: c.attributes.p ?? 2,
    tilePixels,
  };
  c.launch(kernel, params, Math.ceil(pixels / tilePixels), { writes: [c.output(0)] });
}

/** The operator on [N, C, spatial…] and its counterpart on [N, spatial…, C]. */
function pool(name: string, kernel: Kernel, own: AttributeSpecs): readonly AnyOperator[] {
  const attributes = { ...poolAttributes, ...own } as typeof poolAttributes;
  const declared = { name, types: { T: FLOATS }, attributes };
  return [
    defineOp({
      ...declared,
      signature: 'X: T -> Y: T',
      infer(c: Inference<PoolAttributes>) {
        const dims = c.dims(0);
        return [tensorType(c.element(0), dims && [...dims.slice(0, 2), ...spatialOut(c, dims.slice(2))])];
      },
      decompose: (c) =>
        c.element(0) === 'float32' ? throughChannelsLast(c, c.attributes.kernel_shape.length + 2) : undefined,
    }),
    defineOp({
      ...declared,
      domain: 'sardonyx',
      signature: 'X: T -> Y: T',
      infer(c: Inference<PoolAttributes>) {
        const dims = c.dims(0);
        return [
          tensorType(c.element(0), dims && [dims[0] as Dim, ...spatialOut(c, dims.slice(1, -1)), dims.at(-1) as Dim]),
        ];
      },
      lower: (c: Lowering<PoolAttributes>) => lowerPool(c, kernel),
    }),
  ];
}

/** https://onnx.ai/onnx/operators/onnx__MaxPool.html */
export const maxPool = pool('MaxPool', 'maxPool', { storage_order: int(0) });

/** https://onnx.ai/onnx/operators/onnx__AveragePool.html */
export const averagePool = pool('AveragePool', 'averagePool', { count_include_pad: int(0) });

/** https://onnx.ai/onnx/operators/onnx__LpPool.html */
export const lpPool = pool('LpPool', 'lpPool', { p: int(2) });
