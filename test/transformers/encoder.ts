import { modelBuilder } from '../../src/builder/index.js';
import { Layers } from '../layouts/layers.js';

export const ENCODER = { vocabulary: 64, width: 32, heads: 4, layers: 2, positions: 64 };

/** A BERT of two layers. */
export function encoder(): Uint8Array {
  const { vocabulary, width, heads, layers, positions } = ENCODER;
  const b = modelBuilder({ opset: 17, irVersion: 8 });
  const l = new Layers(b, 11);
  const ids = b.input('input_ids', 'int64', ['batch_size', 'sequence_length']);
  const mask = b.input('attention_mask', 'int64', ['batch_size', 'sequence_length']);
  const types = b.input('token_type_ids', 'int64', ['batch_size', 'sequence_length']);

  const place = l.op('Range', [l.integer(0), l.sizeOf(ids, 1), l.integer(1)]);
  const words = l.op('Gather', [l.weight([vocabulary, width], 1), ids]);
  const typed = l.op('Add', [words, l.op('Gather', [l.weight([2, width], 0.5), types])]);
  const placed = l.op('Add', [typed, l.op('Gather', [l.weight([positions, width], 0.5), place])]);
  const bias = l.maskBias(l.op('Unsqueeze', [mask, l.integers(1, 2)]));

  let x = l.layerNorm(placed, width);
  for (let i = 0; i < layers; i++) {
    const [q, k, v] = [0, 1, 2].map(() => l.splitHeads(l.linear(x, width, width), heads, width / heads));
    const attended = l.mergeHeads(l.attention(q as never, k as never, v as never, bias, width / heads), width);
    x = l.layerNorm(l.op('Add', [x, l.linear(attended, width, width)]), width);
    const wide = l.gelu(l.linear(x, width, 4 * width));
    x = l.layerNorm(l.op('Add', [x, l.linear(wide, 4 * width, width)]), width);
  }
  b.output('last_hidden_state', x, 'float32', ['batch_size', 'sequence_length', width]);
  return b.toBytes();
}
