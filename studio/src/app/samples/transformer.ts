import { AttributeProto, ModelProto } from '../../../../build/onnx.js';
import { fromInteger } from '../../../../src/model/int64.js';
import { normal, random } from './random.js';

const [LAYERS, WIDTH, INNER, WORDS] = [2, 32, 64, 96];
const [FLOAT, INT64] = [1, 7];

/** A language model of two layers with weights from a seed: embedding, attention, feed-forward network, word scores. */
export function transformer(): File {
  const next = random(1);
  const initializer = new Map<string, readonly number[]>();
  const weight = (name: string, ...dims: number[]) => {
    initializer.set(name, dims);
    return name;
  };
  const node = [
    row('/embed/Gather', 'Gather', [weight('embed.weight', WORDS, WIDTH), 'tokens'], 'hidden_0'),
    ...Array.from({ length: LAYERS }, (_, layer) => layerRows(layer, weight)).flat(),
    ...normalized('/norm', `hidden_${LAYERS}`, 'normed', weight),
    row('/head/MatMul', 'MatMul', ['normed', weight('head.weight', WIDTH, WORDS)], 'logits'),
  ];
  const model: ModelProto.$Properties = {
    irVersion: 9,
    producerName: 'sardonyx-studio',
    opsetImport: [{ domain: '', version: 17 }],
    graph: {
      name: 'transformer',
      node,
      initializer: [...initializer].map(([name, dims]) => ({
        name,
        dims: [...dims],
        dataType: FLOAT,
        rawData: bytesOf(dims, next),
      })),
      input: [value('tokens', INT64, ['batch', 'length'])],
      output: [value('logits', FLOAT, ['batch', 'length', WORDS])],
    },
  };
  return new File([ModelProto.encode(model).finish() as Uint8Array<ArrayBuffer>], 'transformer.onnx');
}

type Weight = (name: string, ...dims: number[]) => string;

const row = (
  name: string,
  opType: string,
  input: string[],
  output: string,
  attribute: AttributeProto.$Properties[] = [],
) => ({
  name,
  opType,
  input,
  output: [output],
  attribute,
});

const integers = (name: string, ints: readonly number[]): AttributeProto.$Properties => ({
  name,
  type: AttributeProto.AttributeType.INTS,
  ints: ints.map((each) => fromInteger(BigInt(each))),
});

const normalized = (scope: string, from: string, to: string, weight: Weight) => {
  const name = scope.slice(1).replaceAll('/', '.');
  const inputs = [from, weight(`${name}.weight`, WIDTH), weight(`${name}.bias`, WIDTH)];
  return [row(`${scope}/LayerNormalization`, 'LayerNormalization', inputs, to)];
};

function layerRows(layer: number, weight: Weight) {
  const [scope, name] = [`/layers/${layer}`, `layers.${layer}`];
  const at = (value: string) => `${value}_${layer}`;
  const product = (part: string, from: string, to: string, rows: number, columns: number) =>
    row(
      `${scope}/${part}/MatMul`,
      'MatMul',
      [from, weight(`${name}.${part.replace('/', '.')}.weight`, rows, columns)],
      to,
    );
  return [
    ...normalized(`${scope}/norm1`, at('hidden'), at('first'), weight),
    product('attention/query', at('first'), at('query'), WIDTH, WIDTH),
    product('attention/key', at('first'), at('key'), WIDTH, WIDTH),
    product('attention/value', at('first'), at('value'), WIDTH, WIDTH),
    row(`${scope}/attention/Transpose`, 'Transpose', [at('key')], at('turned'), [integers('perm', [0, 2, 1])]),
    row(`${scope}/attention/MatMul`, 'MatMul', [at('query'), at('turned')], at('scores')),
    row(`${scope}/attention/Mul`, 'Mul', [at('scores'), weight(`${name}.attention.scale`)], at('scaled')),
    row(`${scope}/attention/Softmax`, 'Softmax', [at('scaled')], at('shares')),
    row(`${scope}/attention/MatMul_1`, 'MatMul', [at('shares'), at('value')], at('mixed')),
    product('attention/output', at('mixed'), at('attended'), WIDTH, WIDTH),
    row(`${scope}/Add`, 'Add', [at('hidden'), at('attended')], at('middle')),
    ...normalized(`${scope}/norm2`, at('middle'), at('second'), weight),
    product('mlp/up', at('second'), at('wide'), WIDTH, INNER),
    row(`${scope}/mlp/Relu`, 'Relu', [at('wide')], at('bent')),
    product('mlp/down', at('bent'), at('narrow'), INNER, WIDTH),
    row(`${scope}/Add_1`, 'Add', [at('middle'), at('narrow')], `hidden_${layer + 1}`),
  ];
}

const value = (name: string, elemType: number, dims: readonly (string | number)[]) => ({
  name,
  type: {
    tensorType: {
      elemType,
      shape: { dim: dims.map((size) => (typeof size === 'number' ? { dimValue: size } : { dimParam: size })) },
    },
  },
});

/** Values around 1 for vectors, which are normalization scales; small values around 0 for matrices. */
function bytesOf(dims: readonly number[], next: () => number): Uint8Array<ArrayBuffer> {
  const count = dims.reduce((product, size) => product * size, 1);
  const values = Float32Array.from({ length: count }, () =>
    dims.length === 0 ? WIDTH ** -0.5 : dims.length === 1 ? 1 + 0.05 * normal(next) : normal(next) * WIDTH ** -0.5,
  );
  return new Uint8Array(values.buffer);
}
