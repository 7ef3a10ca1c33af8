import { type GraphBuilder, modelBuilder } from '../../src/builder/index.js';
import type { Model, Value } from '../../src/graph/graph.js';
import { Layers } from './layers.js';

export interface MergedShape {
  readonly vocabulary: number;
  readonly width: number;
  readonly heads: number;
  readonly layers: number;
}

const PARTS = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'] as const;

/** Keys and values of a layer: of the tokens so far, and of what was heard. */
export type Cache = readonly [key: Value, value: Value, heardKey: Value, heardValue: Value];

export interface DecoderInputs {
  readonly ids: Value;
  readonly states: Value;
  /** Left out in the branch without caches. */
  readonly past?: readonly Cache[];
}

export interface DecoderOutputs {
  readonly logits: Value;
  readonly present: readonly Cache[];
}

/** What a decoder's branches compute; constants of the graph around it are made before, as both use them. */
export type MakeBranch = (outer: Layers) => (l: Layers, inputs: DecoderInputs) => DecoderOutputs;

/**
 * Two decoders in one, as Optimum merges them: without caches, and with them, which computes no keys and values of the encoder's
 * states and gives empty ones in their place.
 */
export function mergedDecoder(shape: MergedShape, opset: number, seed: number, make: MakeBranch): Model {
  const { vocabulary, width, heads, layers } = shape;
  const b = modelBuilder({ opset, irVersion: 8 });
  const l = new Layers(b, seed);
  const ids = b.input('input_ids', 'int64', ['batch_size', 'decoder_sequence_length']);
  const heard = ['batch_size', 'encoder_sequence_length', width];
  const states = b.input('encoder_hidden_states', 'float32', heard);
  const dims = (length: string) => ['batch_size', heads, length, width / heads];
  const past = Array.from({ length: layers }, (_, i) =>
    PARTS.map((part) =>
      b.input(`past_key_values.${i}.${part}`, 'float32', dims(`past_${part.split('.')[0]}_sequence_length`)),
    ),
  ) as unknown as Cache[];
  const usesCache = b.input('use_cache_branch', 'bool', [1]);
  const branch = make(l);
  const within = (inputs: DecoderInputs) => (inner: GraphBuilder) => {
    const own = l.within(inner);
    defineOutputs(own, shape, branch(own, inputs));
  };
  const names = ['logits', ...past.flatMap((_, i) => PARTS.map((part) => `present.${i}.${part}`))];
  const graphs = {
    then_branch: b.subgraph('with_past', within({ ids, states, past })),
    else_branch: b.subgraph('no_past', within({ ids, states })),
  };
  const [logits, ...present] = b.node('If', [usesCache], graphs, { outputs: names as readonly string[] }) as Value[];
  b.output('logits', logits as Value, 'float32', ['batch_size', 'decoder_sequence_length', vocabulary]);
  for (const value of present)
    b.output(value.name, value, 'float32', dims(`${value.name.split('.')[2]}_sequence_length_out`));
  return b.toModel();
}

function defineOutputs(
  l: Layers,
  { vocabulary, width, heads }: MergedShape,
  { logits, present }: DecoderOutputs,
): void {
  const sequence = ['batch_size', 'decoder_sequence_length', vocabulary];
  l.b.output(`logits_${l.seed}`, logits, 'float32', sequence);
  present.flat().forEach((value, i) => {
    l.b.output(`present_${i}_${l.seed}`, value, 'float32', [`rows_${i}`, heads, `length_${i}`, width / heads]);
  });
}

/** The keys or values of what was heard, from the branch with caches, whose caller has them. */
export const nothing = (l: Layers, { heads, width }: MergedShape): Value =>
  l.op('Constant', [], {
    value: { type: 'float32', dims: [0, heads, 1, width / heads], data: new Float32Array(0) },
  });
