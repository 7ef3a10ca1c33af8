import type { GraphProto, ModelProto, NodeProto, TensorProto } from '../../../../build/onnx.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { intAt } from '../nodes.js';

/** A quantized constant, its scale and zero point, and its dequantized value. */
export interface QuantizedConstant {
  readonly codes: TensorProto;
  readonly scale: TensorProto;
  readonly zeroPoint?: TensorProto | undefined;
  /** The axis of the scales, if there is more than one. */
  readonly axis?: number | undefined;
  /** The name of the dequantized value. */
  readonly output: string;
  readonly readers: readonly NodeProto[];
}

/** An activation with a QuantizeLinear/DequantizeLinear pair. */
export interface QuantizedActivation {
  /** The value before the pair. */
  readonly input: string;
  /** The value after the pair. */
  readonly output: string;
  readonly scale: TensorProto;
  readonly zeroPoint?: TensorProto | undefined;
}

export interface QuantizedValues {
  readonly weights: readonly QuantizedConstant[];
  /** The 32-bit constants. */
  readonly biases: readonly QuantizedConstant[];
  readonly activations: readonly QuantizedActivation[];
}

/** Finds the quantized constants and activations in the main graph of a QDQ model. */
export function quantizedValues({ graph }: ModelProto): QuantizedValues {
  const found = graph ? [...behind(graph)] : [];
  const constants = found.flatMap((one) => ('codes' in one ? [one] : []));
  const isBias = ({ codes }: QuantizedConstant): boolean => codes.dataType === ELEMENTS.int32.onnx;
  return {
    weights: constants.filter((constant) => !isBias(constant)),
    biases: constants.filter(isBias),
    activations: found.flatMap((one) => ('codes' in one ? [] : [one])),
  };
}

function* behind({ node, initializer }: GraphProto): Generator<QuantizedConstant | QuantizedActivation> {
  const constants = new Map(initializer.map((tensor) => [tensor.name, tensor as TensorProto]));
  const producers = new Map(node.flatMap((n) => n.output.map((name) => [name, n] as const)));
  for (const reader of node) {
    const [integers = '', scaleName = '', zeroName = ''] = reader.input;
    const [codes, scale, zeroPoint] = [integers, scaleName, zeroName].map((name) => constants.get(name));
    const [output = ''] = reader.output;
    const writer = producers.get(integers);
    if (reader.opType !== 'DequantizeLinear' || !scale) continue;
    if (codes) {
      const axis = scale.dims.length > 0 ? intAt(reader, 'axis', 1) : undefined;
      yield { codes, scale, zeroPoint, axis, output, readers: node.filter(({ input }) => input.includes(output)) };
    } else if (writer?.opType === 'QuantizeLinear') {
      yield { input: writer.input[0] as string, output, scale, zeroPoint };
    }
  }
}
