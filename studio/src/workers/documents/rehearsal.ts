import { ModelProto } from '../../../../build/onnx.js';

const LAYERS = 8;
const FLOAT = 1;
const SIZE = { dimValue: 4 };
const TYPE = { tensorType: { elemType: FLOAT, shape: { dim: [SIZE, SIZE] } } };

/** A model with every layout feature: repeated modules, residuals, a value read by all layers, weights. */
export function rehearsalModel(): Blob {
  const layers = Array.from({ length: LAYERS }, (_, i) => layerOf(i));
  const graph = {
    name: 'rehearsal',
    node: layers.flatMap(({ node }) => node),
    initializer: layers.map(({ weight }) => ({
      name: weight,
      dims: [4],
      dataType: FLOAT,
      rawData: new Uint8Array(16),
    })),
    input: ['stream_0', 'mask'].map((name) => ({ name, type: TYPE })),
    output: [{ name: `stream_${LAYERS}`, type: TYPE }],
  };
  const model: ModelProto.$Properties = { irVersion: 9, opsetImport: [{ domain: '', version: 17 }], graph };
  return new Blob([ModelProto.encode(model).finish() as Uint8Array<ArrayBuffer>]);
}

/** A layer with two residual branches: masked attention and a feed-forward part. */
function layerOf(layer: number) {
  const weight = `weight_${layer}`;
  const [stream, next] = [`stream_${layer}`, `stream_${layer + 1}`];
  const rows: readonly (readonly [scope: string, opType: string, input: string[], output: string])[] = [
    ['norm', 'Relu', [stream], 'normal'],
    ['attention/query', 'Mul', ['normal', weight], 'query'],
    ['attention/key', 'Mul', ['normal', weight], 'key'],
    ['attention', 'Transpose', ['key'], 'turned'],
    ['attention', 'MatMul', ['query', 'turned'], 'scores'],
    ['attention', 'Add', ['scores', 'mask'], 'masked'],
    ['attention', 'Softmax', ['masked'], 'weights'],
    ['attention', 'MatMul', ['weights', 'normal'], 'mixed'],
    ['', 'Add', [stream, 'mixed'], 'middle'],
    ['feed', 'Sigmoid', ['middle'], 'gate'],
    ['feed', 'Mul', ['middle', 'gate'], 'fed'],
    ['', 'Add', ['middle', 'fed'], next],
  ];
  const made = new Set(rows.map(([, , , output]) => output));
  const nameOf = (value: string) => (made.has(value) && value !== next ? `${value}_${layer}` : value);
  const node = rows.map(([scope, opType, input, output], i) => ({
    name: `/layers/${layer}/${scope && `${scope}/`}${opType}_${i}`,
    opType,
    input: input.map(nameOf),
    output: [nameOf(output)],
  }));
  return { node, weight };
}
