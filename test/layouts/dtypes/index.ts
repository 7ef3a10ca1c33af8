import type { Graph, Model } from '../../../src/graph/graph.js';
import { inFourBits } from './four-bits.js';
import { type HalvesOptions, inHalves } from './halves.js';
import { inIntegers } from './integers.js';
import { inNormalFloats } from './normal-floats.js';

export type Dtype = keyof typeof DTYPES;

interface Conversion {
  /** What the file's name has after that of the model. */
  readonly suffix: string;
  readonly convert: (graph: Graph, options: HalvesOptions) => Graph;
}

/** As transformers.js names them: https://huggingface.co/docs/transformers.js/guides/dtypes */
export const DTYPES = {
  fp32: { suffix: '', convert: (graph) => graph },
  fp16: { suffix: '_fp16', convert: inHalves },
  q8: { suffix: '_quantized', convert: inIntegers },
  q4: { suffix: '_q4', convert: inFourBits },
  bnb4: { suffix: '_bnb4', convert: inNormalFloats },
  q4f16: { suffix: '_q4f16', convert: (graph, options) => inHalves(inFourBits(graph), options) },
} satisfies Record<string, Conversion>;

/** Changes the types of the model's values: it is of no use afterwards. */
export const converted = (model: Model, dtype: Dtype, options: HalvesOptions = {}): Model => ({
  ...model,
  opsets: new Map([...model.opsets, ['com.microsoft', 1]]),
  graph: (DTYPES[dtype] as Conversion).convert(model.graph, options),
});
