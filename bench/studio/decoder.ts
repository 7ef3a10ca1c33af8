import { ModelProto } from '../../build/onnx.js';

interface Written {
  readonly model: Uint8Array;
  /** Bytes of `weights.bin` next to the model; 0 if the weights are in the model. */
  readonly weights: number;
}

const FLOAT = 1;
const EXTERNAL = 1;

/** A decoder of `layers` layers of 22 nodes with PyTorch's names; each has `bytesOfLayer` bytes of weights in an external file. */
export function decoderModel(layers: number, bytesOfLayer: number): Written {
  const node: object[] = [];
  const initializer: object[] = [];
  let at = 0;
  const weight = (name: string): string => {
    const length = `${bytesOfLayer / 4}`;
    const place = { location: 'weights.bin', offset: `${at}`, length };
    at += bytesOfLayer / 4;
    const externalData = Object.entries(place).map(([key, value]) => ({ key, value }));
    const dims = [256, bytesOfLayer / 4 / 256 / 4];
    initializer.push({ name, dataType: FLOAT, dims, dataLocation: EXTERNAL, externalData });
    return name;
  };
  let stream = 'embedded';
  for (let layer = 0; layer < layers; layer++) {
    const place = `/model/layers.${layer}`;
    const add = (scope: string, opType: string, ...input: string[]): string => {
      const name = `${place}/${scope}/${opType}_${node.length}`;
      node.push({ name, opType, input, output: [`${name}_output`] });
      return `${name}_output`;
    };
    const normal = add(
      'norm',
      'Mul',
      add('norm', 'Div', stream, add('norm', 'Sqrt', add('norm', 'Mul', stream, stream))),
      stream,
    );
    const [q, k, v] = ['q', 'k', 'v'].map((name) =>
      add(`attention/${name}`, 'MatMul', normal, weight(`${place}.${name}`)),
    );
    const turn = (x: string) =>
      add(
        'attention/rotary',
        'Add',
        add('attention/rotary', 'Mul', x, 'cosines'),
        add('attention/rotary', 'Mul', x, 'sines'),
      );
    const scores = add('attention', 'Add', add('attention', 'MatMul', turn(q as string), turn(k as string)), 'mask');
    const mixed = add('attention', 'MatMul', add('attention', 'Softmax', scores), v as string);
    stream = add('residual', 'Add', stream, mixed);
    const wide = add('mlp/up', 'MatMul', stream, weight(`${place}.up`));
    stream = add('residual', 'Add', stream, add('mlp', 'Mul', wide, add('mlp', 'Sigmoid', wide)));
  }
  const input = ['embedded', 'mask', 'cosines', 'sines'].map((name) => ({ name, type: floats(['sequence', 256]) }));
  const graph = {
    name: 'decoder',
    node,
    input,
    output: [{ name: stream, type: floats(['sequence', 256]) }],
    initializer,
  };
  const model = { irVersion: 9, opsetImport: [{ domain: '', version: 17 }], graph } as ModelProto.$Properties;
  return { model: ModelProto.encode(model).finish(), weights: at };
}

const floats = (dims: readonly (string | number)[]) => ({
  tensorType: {
    elemType: FLOAT,
    shape: { dim: dims.map((dim) => (typeof dim === 'string' ? { dimParam: dim } : { dimValue: dim })) },
  },
});
