import { Activation } from '../../build/kernels.js';
import { grainOf } from '../../src/backends/wasm/lower/grain.js';
import { direct } from '../kernels/convolution.js';
import { transposition } from '../kernels/elementwise.js';
import { product } from '../kernels/matmul.js';
import { ceilDiv, type Engine, floats, type Launch, launching } from '../kernels/measure.js';
import { depthwiseLaunch } from '../kernels/spatial.js';
import { type Layer, outSize } from './networks.js';

/** The product's kernels on one layer, as the planner launches them but without Winograd; the image is transposed first. */
export function prepare(engine: Engine, layer: Layer): () => void {
  const convolve = launching(engine, [launchOf(engine, layer)]);
  if (layer.kind !== 'first') return convolve;
  const transpose = transposition('image', [layer.channels, layer.size ** 2], [1, 0]).prepare(engine);
  return () => {
    transpose();
    convolve();
  };
}

function launchOf(engine: Engine, layer: Layer): Launch {
  const { channels, outChannels, size, kernel, stride, pad } = layer;
  const bias = floats(engine, outChannels);
  const pixels = outSize(layer) ** 2;
  if (layer.kind === 'depthwise') {
    const { params } = depthwiseLaunch(engine, layer);
    const tilePixels = grainOf(pixels, channels * kernel ** 2);
    Object.assign(params, { bias, activation: Activation.None, tilePixels });
    return { kernel: 'depthwiseConvolution', params, tiles: ceilDiv(pixels, tilePixels) };
  }
  if (kernel === 1 && stride === 1) {
    const launch = product(engine, size * size, outChannels, channels);
    Object.assign(launch.params, { bias });
    return launch;
  }
  const launch = direct(engine, layer);
  const out = outSize(layer);
  Object.assign(launch.params, { bias, padTop: pad, padLeft: pad, outHeight: out, outWidth: out });
  return launch;
}
