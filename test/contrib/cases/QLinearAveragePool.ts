import { type Case, draw, type OperatorCases } from '../case.js';
import { allBut, type Byte, bytes, EQUAL, levels, shortened } from '../quantized.js';

const d = draw(18);

/** Windows further apart than they are wide: with SAME onnxruntime leaves out the margins of the image, ONNX its end; not here. */
const stride = (kernel: number, auto: string) => d.int(1, auto.startsWith('SAME') ? kernel : 3);

const cases = Array.from({ length: 36 }, (_, i): Case => {
  const type = d.pick<Byte>(['uint8', 'int8']);
  const rank = d.int(1, 3);
  const each = (f: () => number) => Array.from({ length: rank }, f);
  const spatial = each(() => d.int(3, 7 - rank));
  const kernel = i % 6 === 0 ? spatial : each(() => d.int(1, 3));
  const last = d.int(0, 1);
  const auto = d.pick(['NOTSET', 'NOTSET', 'SAME_UPPER', 'SAME_LOWER', 'VALID']);
  const pads = kernel.map((size) => (i % 6 ? d.int(0, size - 1) : 0));
  const [n, channels] = [d.int(1, 2), d.int(1, 5)];
  const inputs = shortened([
    bytes(d, type, last ? [n, ...spatial, channels] : [n, channels, ...spatial]),
    ...levels(d, type, { lists: false, optional: false }),
    ...levels(d, type, { lists: false }),
  ]);
  return {
    label: `${i}: ${type} [${inputs[0]?.dims}] by [${kernel}], ${auto}`,
    attributes: {
      kernel_shape: kernel,
      channels_last: last,
      count_include_pad: d.int(0, 1),
      ceil_mode: d.int(0, 1),
      ...(d.chance(0.7) && { strides: kernel.map((size) => stride(size, auto)) }),
      ...(auto === 'NOTSET' ? { pads: [...pads, ...pads] } : { auto_pad: auto }),
    },
    inputs,
    constants: i % 2 ? allBut(inputs, 0) : [],
  };
});

export const operator: OperatorCases = { op: 'QLinearAveragePool', tolerance: EQUAL, cases };
