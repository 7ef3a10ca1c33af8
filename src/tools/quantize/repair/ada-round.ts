import type { Model } from '../../../model/document/model.js';
import { edit } from '../../surgery/edit/edit.js';
import { eachOf, type Watch } from '../progress.js';
import type { Samples } from '../weights/gram-matrices.js';
import { bestRounding } from './best-rounding.js';
import { gramsOf, type Reading } from './grams.js';
import { numberAt } from './layers.js';
import { type RoundedLayer, roundedLayers } from './qdq.js';

/** The ranges of weight types. */
const BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  int4: [-8, 7],
  uint4: [0, 15],
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32768, 32767],
  uint16: [0, 65535],
};

/**
 * Rounds the weights of a quantized model up or down so that the error of each layer's outputs is smallest for the
 * inputs in `feeds` (AdaRound). `quantized` is the result of `quantizeStatic` for `model` in QDQ format. Scales and
 * zero points do not change.
 * @throws SardonyxError INVALID_ARGUMENT if `quantized` has no layers of `model` in QDQ format or there are no samples
 */
export function adaRound(model: Model, quantized: Model, feeds: Samples, watch: Watch = {}): Promise<Model> {
  return edit(quantized, async (graph) => {
    const layers = new Map<Reading, RoundedLayer>();
    await edit(model, async (floats) => {
      for (const layer of await roundedLayers(graph, model, floats)) {
        const reading = readingOf(layer);
        if (reading) layers.set(reading, layer);
      }
    });
    for await (const [reading, gram] of gramsOf(model, [...layers.keys()], feeds, watch)) {
      const layer = layers.get(reading) as RoundedLayer;
      await eachOf(
        'rounding',
        [layer],
        ({ node }) => node.name,
        watch,
        () => roundAnew(layer, reading, gram),
      );
    }
  });
}

function readingOf({ twin: { node, inputs }, weight: { tensor } }: RoundedLayer): Reading | undefined {
  const output = node.outputs[0]?.name;
  if (!output || node.op === 'ConvTranspose' || !Object.hasOwn(BOUNDS, tensor.type)) return undefined;
  if (node.op !== 'Conv') return { output, groups: 1, width: inputs.count, kernel: [] };
  const [, columns = 1, ...kernel] = tensor.dims;
  const width = kernel.reduce((product, dim) => product * dim, columns);
  return { output, groups: numberAt(node, 'group', 1), width, kernel };
}

/** Rounds each output channel separately. */
function roundAnew({ twin, weight }: RoundedLayer, { groups, width }: Reading, gram: Float64Array): void {
  const { outputs, values } = twin;
  const [least, greatest] = BOUNDS[weight.tensor.type] as readonly [number, number];
  const codes = weight.codes.slice();
  for (let c = 0; c < outputs.count; c++) {
    const { starts, length } = outputs.strips(c);
    const places = starts.flatMap((start) => Array.from({ length }, (_, i) => start + i));
    const at = Math.floor((c * groups) / outputs.count) * width ** 2;
    const [weights, scales, zeros] = [
      places.map((i) => values[i] as number),
      places.map(weight.scaleAt),
      places.map(weight.zeroAt),
    ];
    const found = bestRounding({ weights, scales, zeros, least, greatest, gram, at });
    for (const [i, place] of places.entries()) codes[place] = found[i] as number;
  }
  weight.write(codes);
}
