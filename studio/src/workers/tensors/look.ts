import type { TensorValue } from 'sardonyx';
import { toNumbers, writeNpy } from 'sardonyx/tensors';
import { oneAhead } from '../../../../src/model/document/left-bytes.js';
import type { Summary, TensorLook } from '../contracts/tensors.js';
import { cellsOf } from './cells.js';
import { paint } from './paint.js';
import { planPicture } from './picture-plan.js';
import { PIECE, type Pieces, sharedPieces } from './pieces.js';
import type { Readable } from './readable.js';
import { addNumbers, newSketch, summaryOf } from './sketch.js';

export function lookAt(tensor: Readable): TensorLook {
  const withPieces = sharedPieces(tensor);
  return {
    summary: async () =>
      tensor.type === 'string' ? undefined : withPieces((pieces) => summarise(pieces, tensor.count)),
    picture: async () => {
      const isPlain = tensor.type !== 'string' && !tensor.type.startsWith('complex');
      const plan = isPlain ? planPicture(tensor.dims) : undefined;
      return plan && withPieces((pieces) => paint(plan, pieces));
    },
    cells: (window) => cellsOf(tensor, window),
    npy: async () => new Blob([npyOf(tensor, await tensor.read(0, tensor.count)) as Uint8Array<ArrayBuffer>]),
  };
}

async function summarise({ piece }: Pieces, count: number): Promise<Summary> {
  const sketch = newSketch();
  const indices = Array.from({ length: Math.ceil(count / PIECE) }, (_, index) => index);
  for await (const numbers of oneAhead(indices, piece)) addNumbers(sketch, numbers);
  return summaryOf(sketch);
}

const LACKING = /^(bfloat16|float8|float4|u?int[24]$)/;

function npyOf({ dims }: Readable, all: TensorValue): Uint8Array {
  const { type, data } = all;
  if (!LACKING.test(type)) return writeNpy({ type, data, dims } as TensorValue);
  return writeNpy({ type: 'float32', data: Float32Array.from(toNumbers(all)), dims });
}
