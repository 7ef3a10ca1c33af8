import { tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int, unit } = draw(62);

/** Blocks of columns with any scales and bits. */
function blobOf(rows: number, columns: number, kind: number) {
  const header = kind === 0 ? 4 : 5;
  const bytes = header + 16;
  const blob = Uint8Array.from({ length: columns * Math.ceil(rows / 32) * bytes }, () => int(0, 255));
  const view = new DataView(blob.buffer);
  for (let at = 0; at < blob.length; at += bytes) {
    view.setFloat32(at, 0.05 + 0.1 * unit(), true);
    if (kind > 0) blob[at + 4] = int(0, 15);
  }
  return tensor('uint8', [blob.length], Array.from(blob));
}

const cases = Array.from({ length: 21 }, (_, i): Case => {
  const kind = i % 3;
  const [m, k, n] = [int(1, 3), int(5, 70), int(1, 4)];
  return {
    label: `${kind}: ${[m, k, n]}`,
    inputs: [
      floats(i % 4 === 3 ? [2, m, k] : [m, k]),
      blobOf(k, n, kind),
      tensor('int64', [2], [BigInt(k), BigInt(n)]),
    ],
    attributes: kind === 1 && i % 2 ? {} : { blk_quant_type: kind },
    constants: [1, 2],
  };
});

export const operator: OperatorCases = { op: 'MatMulFpQ4', cases };
