import { type Case, draw, type OperatorCases } from '../case.js';
import { type Byte, bytes, EQUAL } from '../quantized.js';

const d = draw(19);

/** onnxruntime's SAME takes no notice of dilations; ONNX's does, and so it is here. */
const cases = Array.from({ length: 24 }, (_, i): Case => {
  const type = d.pick<Byte>(['uint8', 'int8']);
  const rank = d.int(1, 3);
  const each = (f: () => number) => Array.from({ length: rank }, f);
  const kernel = each(() => d.int(1, 3));
  const auto = d.pick(['NOTSET', 'NOTSET', 'SAME_UPPER', 'SAME_LOWER', 'VALID']);
  const pads = kernel.map((size) => d.int(0, size - 1));
  const dims = [i === 0 ? 0 : d.int(1, 2), ...each(() => d.int(5, 8 - rank)), d.int(1, 6)];
  return {
    label: `${i}: ${type} [${dims}] by [${kernel}], ${auto}`,
    attributes: {
      kernel_shape: kernel,
      ceil_mode: d.int(0, 1),
      ...(d.chance(0.6) && { strides: each(() => d.int(1, 3)) }),
      ...(auto === 'NOTSET' ? { pads: [...pads, ...pads] } : { auto_pad: auto }),
      ...(!auto.startsWith('SAME') && d.chance(0.5) && { dilations: each(() => d.int(1, 2)) }),
    },
    inputs: [bytes(d, type, dims)],
  };
});

export const operator: OperatorCases = { op: 'NhwcMaxPool', tolerance: EQUAL, cases };
