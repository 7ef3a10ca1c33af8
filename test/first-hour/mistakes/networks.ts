import { modelBuilder, tensor } from '../../../src/builder/index.js';

/** A classifier of images: input float32[1,3,8,8], output "scores". */
export function classifier(batch: number | string = 1): Uint8Array {
  const b = modelBuilder({ opset: 21, name: 'classifier' });
  const x = b.input('image', 'float32', [batch, 3, 8, 8]);
  const pooled = b.op('GlobalAveragePool', [b.op('Relu', [x])]);
  b.output('scores', b.op('Flatten', [pooled]));
  return b.toBytes();
}

/** An encoder of text over a vocabulary of 10: int64 ids and mask of [batch, sequence]. */
export function encoder(): Uint8Array {
  const b = modelBuilder({ opset: 21, name: 'encoder' });
  const ids = b.input('input_ids', 'int64', ['batch', 'sequence']);
  const mask = b.input('attention_mask', 'int64', ['batch', 'sequence']);
  const table = b.constant('embeddings', tensor('float32', [10, 2], new Float32Array(20)));
  const embedded = b.op('Gather', [table, ids], {}, { name: 'embed' });
  const weights = b.op('Unsqueeze', [b.op('Cast', [mask], { to: 1 }), b.constant('last', tensor('int64', [1], [-1]))]);
  b.output('last_hidden_state', b.op('Mul', [embedded, weights]));
  return b.toBytes();
}
