import { account } from '../../../account.js';
import type { Size } from '../../../graph/sizes.js';
import { int } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { FLOATS, INDICES } from '../../../schema/element-sets.js';
import { dimsOfRank, like, numberAt } from '../../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { complexes, fourierTransform, onesidedLength, STEPS_PER_POINT } from './fft.js';

interface Frames {
  readonly step: number;
  readonly length: number;
  readonly count: Size;
  readonly bins: number;
}

/** Positions and length of the frames; undefined if unknown. */
function framesOf(c: Inference<{ readonly onesided: number }>, dims: readonly Size[]): Frames | undefined {
  const step = numberAt(c, 1);
  const window = c.given(2) ? dimsOfRank(c, 2, 1)?.[0] : undefined;
  const length = numberAt(c, 3) ?? window;
  if (!c.given(2) && !c.given(3)) c.fail('INVALID_GRAPH', 'needs a window or a frame_length');
  if (dims.length < 2 || dims.length > 3 || (typeof dims[2] === 'number' && dims[2] !== 1 && dims[2] !== 2))
    c.fail('INVALID_SHAPE', `input 0 must be [batch,length], [batch,length,1] or [batch,length,2], not [${dims}]`);
  if (c.attributes.onesided && dims[2] === 2) c.fail('INVALID_SHAPE', 'onesided needs real signals');
  if (step === undefined || typeof length !== 'number') return undefined;
  if (step < 1 || length < 1) c.fail('INVALID_VALUE', `frame_length ${length} and frame_step ${step} must be positive`);
  if (typeof window === 'number' && window !== length)
    c.fail('INVALID_SHAPE', `the window has length ${window}, but a frame ${length}`);
  const samples = dims[1] as Size;
  if (typeof samples === 'number' && samples < length)
    c.fail('INVALID_SHAPE', `the signal has length ${samples}, but a frame ${length}`);
  const count = typeof samples === 'number' ? Math.floor((samples - length) / step) + 1 : c.unknown();
  return { step, length, count, bins: c.attributes.onesided ? onesidedLength(length) : length };
}

/** https://onnx.ai/onnx/operators/onnx__STFT.html; computed in double precision. */
export const stft = defineOp({
  name: 'STFT',
  since: 17,
  signature: 'signal: T1, frame_step: T2, window?: T1, frame_length?: T2 -> output: T1',
  types: { T1: FLOATS, T2: INDICES },
  attributes: { onesided: int(1) },
  planned: [1, 3],
  infer(c) {
    const dims = c.dims(0);
    if (!dims) return [like(c, 0, undefined)];
    const frames = framesOf(c, dims);
    return [like(c, 0, [dims[0] as Size, frames?.count ?? c.unknown(), frames?.bins ?? c.unknown(), 2])];
  },
  evaluate(c) {
    const signal = c.tensor(0);
    const frames = framesOf(c, signal.dims);
    const { step, length, bins, count } = frames as Frames & { readonly count: number };
    const [batch, samples, parts = 1] = signal.dims as [number, number, number?];
    const numbers = numbersOf(signal);
    const window = c.given(2) ? numbersOf(c.tensor(2)) : new Float64Array(length).fill(1);
    const dims = [batch, count, bins, 2];
    const spectra = new Float64Array(elementCount(dims));
    const x = complexes(length);
    const transform = fourierTransform(length);
    for (let frame = 0, at = 0; frame < batch * count; frame++) {
      account()?.spend(STEPS_PER_POINT * length);
      const first = Math.floor(frame / count) * samples + (frame % count) * step;
      for (let n = 0; n < length; n++) {
        const weight = window[n] as number;
        x.re[n] = weight * (numbers[(first + n) * parts] as number);
        x.im[n] = parts === 2 ? weight * (numbers[(first + n) * 2 + 1] as number) : 0;
      }
      transform(x);
      for (let k = 0; k < bins; k++) {
        spectra[at++] = x.re[k] as number;
        spectra[at++] = x.im[k] as number;
      }
    }
    return [tensorOf(signal.type, dims, spectra)];
  },
});
