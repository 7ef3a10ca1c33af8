import { tensorType } from '../../../graph/types.js';
import { int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS, INDICES, NUMBERS } from '../../../schema/element-sets.js';
import { numberAt } from '../../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { elementNamed } from '../generator/dtype.js';
import { onesidedLength } from './fft.js';

const melOf = (hertz: number) => 2595 * Math.log10(1 + hertz / 700);
const hertzOf = (mel: number) => 700 * (10 ** (mel / 2595) - 1);

/** https://onnx.ai/onnx/operators/onnx__MelWeightMatrix.html: triangles over the bins of a spectrum, equally spaced on the mel scale. */
export const melWeightMatrix = defineOp({
  name: 'MelWeightMatrix',
  since: 17,
  signature:
    'num_mel_bins: T1, dft_length: T1, sample_rate: T1, lower_edge_hertz: T2, upper_edge_hertz: T2 -> output: T3',
  types: { T1: INDICES, T2: FLOATS, T3: NUMBERS },
  attributes: { output_datatype: int(1) },
  planned: [0, 1],
  infer(c) {
    const [bands, length] = [numberAt(c, 0), numberAt(c, 1)];
    for (const i of [2, 3, 4]) numberAt(c, i);
    const bins = length === undefined ? c.unknown() : onesidedLength(length);
    return [tensorType(elementNamed(c, c.attributes.output_datatype, NUMBERS), [bins, bands ?? c.unknown()])];
  },
  evaluate(c) {
    const [bands, length, rate, lower, upper] = [0, 1, 2, 3, 4].map((i) => numbersOf(c.tensor(i))[0]) as [
      number,
      number,
      number,
      number,
      number,
    ];
    const bins = onesidedLength(length);
    const step = (melOf(upper) - melOf(lower)) / (bands + 2);
    const edges = Array.from({ length: bands + 2 }, (_, i) =>
      Math.floor(((length + 1) * hertzOf(melOf(lower) + i * step)) / rate),
    );
    if ((edges[0] ?? 0) < 0 || (edges.at(-1) as number) > bins)
      c.fail('INVALID_VALUE', `${lower}…${upper} Hz is outside the ${bins} bins of ${rate} samples per second`);
    const weights = new Float64Array(bins * bands);
    for (let band = 0; band < bands; band++) {
      const [left, center, right] = edges.slice(band, band + 3) as [number, number, number];
      for (let bin = left; bin < center; bin++) weights[bin * bands + band] = (bin - left) / (center - left);
      if (center < bins) weights[center * bands + band] = 1;
      for (let bin = center + 1; bin < right; bin++) weights[bin * bands + band] = (right - bin) / (right - center);
    }
    return [tensorOf(elementNamed(c, c.attributes.output_datatype, NUMBERS), [bins, bands], weights)];
  },
});
