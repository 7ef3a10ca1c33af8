import type { Graph } from '../../../graph/graph.js';
import type { TensorType } from '../../../graph/types.js';
import type { Evaluation, Inference, Iteration } from '../../../schema/definition.js';
import { type HostValue, integers, type TensorValue } from '../../../tensor/tensor-value.js';
import { reordered, repeated } from './caches.js';
import type { Chosen, Decoder } from './decoder.js';
import {
  cacheType,
  emptyCache,
  expectCount,
  expectNames,
  expectTokens,
  type Part,
  POSITION,
  sharesCaches,
} from './subgraph-form.js';

const TOKENS = ['input_ids', 'position_ids', 'attention_mask'] as const;

interface Graphs {
  readonly decoder: Graph;
  /** Runs instead of the decoder on the prompt. */
  readonly init_decoder: Graph | undefined;
}

/** Types of the caches, one for each output that follows the logits. */
function cachesOf(c: Pick<Inference<unknown>, 'fail'>, part: Part): TensorType[] {
  const { inputs, outputs } = part.graph;
  const extra = sharesCaches(c, part) ? 1 : 0;
  expectNames(c, part, 'inputs', TOKENS);
  expectNames(c, part, 'outputs', ['logits']);
  expectTokens(c, part, TOKENS);
  if (outputs.length < 2)
    c.fail('INVALID_GRAPH', `its ${part.name} returns only the logits; it needs present_0 as well`);
  const count = TOKENS.length + outputs.length - 1 + extra;
  expectCount(c, part, 'inputs', count, 'tokens, positions and mask, and a past for each present');
  return inputs.slice(TOKENS.length, count - extra).map((value) => cacheType(c, part, value, [4, 5]));
}

/** Checks the inputs and outputs of the subgraphs. */
export function checkGpt(c: Inference<Graphs>): void {
  const { decoder, init_decoder } = c.attributes;
  cachesOf(c, { name: 'decoder', graph: decoder });
  if (!init_decoder) return;
  cachesOf(c, { name: 'init_decoder', graph: init_decoder });
  expectCount(c, { name: 'init_decoder', graph: init_decoder }, 'outputs', decoder.outputs.length, "the decoder's");
  const both = [decoder, init_decoder].map((graph) => sharesCaches(c, { name: 'decoder', graph }));
  if (both[0] !== both[1])
    c.fail('INVALID_GRAPH', `its init_decoder and decoder must both have the input ${POSITION}, or neither`);
}

const int32 = (dims: readonly number[], data: Int32Array): TensorValue => ({ type: 'int32', dims, data });

/** Position of each token that is not padding, and the number of such tokens in each row. */
function positionsOf(ids: TensorValue, padToken: number): { positions: TensorValue; counts: Int32Array } {
  const [rows = 0, length = 0] = ids.dims;
  const positions = new Int32Array(rows * length);
  const counts = new Int32Array(rows);
  integers(ids).forEach((token, i) => {
    const row = Math.floor(i / length);
    if (token === padToken) return;
    positions[i] = counts[row] as number;
    counts[row] = (counts[row] as number) + 1;
  });
  return { positions: int32(ids.dims, positions), counts };
}

const maskOf = ({ dims, data }: TensorValue, padToken: number) =>
  int32(
    dims,
    Int32Array.from(data as Int32Array, (token) => Number(token !== padToken)),
  );

/** Appends a column of ones to the mask. */
function widened({ dims: [rows = 0, length = 0], data }: TensorValue): TensorValue {
  const mask = new Int32Array(rows * (length + 1)).fill(1);
  for (let row = 0; row < rows; row++)
    mask.set((data as Int32Array).subarray(row * length, (row + 1) * length), row * (length + 1));
  return int32([rows, length + 1], mask);
}

export interface GptSettings {
  readonly beams: number;
  readonly padToken: number;
  readonly limit: number;
  readonly mask: TensorValue | undefined;
}

/** A decoder like GPT-2's. Its inputs are tokens, their positions, a mask and caches. */
export function gptDecoder(c: Evaluation<Graphs>, settings: GptSettings): Decoder {
  const { decoder, init_decoder } = c.attributes;
  const { beams, padToken, limit } = settings;
  const caches = cachesOf(c, { name: 'decoder', graph: decoder });
  const shares = sharesCaches(c, { name: 'decoder', graph: decoder });
  const prompt = c.tensor(0);
  const ids = repeated(prompt, beams);
  const rows = ids.dims[0] as number;
  const { positions, counts } = positionsOf(ids, padToken);
  let mask = repeated(settings.mask ?? maskOf(prompt, padToken), beams);
  let past: readonly HostValue[] = [];

  function* run(graph: Graph, tokens: TensorValue, at: TensorValue, length: number): Iteration<TensorValue> {
    const position = shares ? [int32([1], Int32Array.of(length))] : [];
    const [logits, ...present] = yield { graph, inputs: [tokens, at, mask, ...past, ...position] };
    past = present;
    return logits as TensorValue;
  }

  return {
    prompt,
    *begin() {
      past = caches.map((type) => emptyCache(type, rows, shares ? limit : 0));
      return yield* run(init_decoder ?? decoder, ids, positions, 0);
    },
    *step({ sequences, tokens, sources }: Chosen) {
      const next = int32([rows, 1], counts.slice());
      for (let row = 0; row < rows; row++) counts[row] = (counts[row] as number) + 1;
      mask = widened(mask);
      if (sources && beams > 1) past = past.map((cache) => reordered(cache as TensorValue, sources));
      return yield* run(decoder, int32([rows, 1], Int32Array.from(tokens)), next, sequences.length - 1);
    },
  };
}
