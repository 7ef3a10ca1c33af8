import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModelProto } from '../../build/onnx.js';

const [FLOAT, INT64, BOOL] = [1, 7, 9];

export const EVIL = '<img src=x onerror="window.isHacked=true">';

const tensorType = (elemType: number, dims: readonly (number | string)[]) => ({
  tensorType: {
    elemType,
    shape: { dim: dims.map((dim) => (typeof dim === 'number' ? { dimValue: dim } : { dimParam: dim })) },
  },
});

const pair = (key: string, value: string) => ({ key, value });
const node = (opType: string, input: readonly string[], output: readonly string[], more: object = {}) => ({
  opType,
  input,
  output,
  ...more,
});
const branch = (name: string, opType: string) => ({
  name,
  node: [node(opType, ['y'], [`${name}_out`], { name: `in_${name}` })],
  output: [{ name: `${name}_out`, type: tensorType(FLOAT, ['n', 2, 6, 6]) }],
});

/** A model with a note of every kind: documentation, metadata, annotations, subgraphs, a function, and names that look like HTML. */
const NOTED = {
  irVersion: 10,
  opsetImport: [opset('', 21), opset('local', 1), opset('com.microsoft', 1)],
  graph: {
    name: 'noted',
    input: [
      { name: 'x', type: tensorType(FLOAT, ['n', 1, 8, 8]), docString: 'what comes in' },
      { name: 'yes', type: tensorType(BOOL, []) },
    ],
    output: [{ name: 'z', type: tensorType(FLOAT, ['n', 2, 6, 6]) }],
    initializer: [
      { name: 'w', dataType: FLOAT, dims: [2, 1, 3, 3], floatData: Array.from({ length: 18 }, (_, i) => i / 4 - 2) },
      { name: 'scale', dataType: FLOAT, dims: [], floatData: [0.5] },
    ],
    valueInfo: [
      { name: 'y', type: tensorType(FLOAT, ['n', 2, 6, 6]), docString: EVIL, metadataProps: [pair('layer', 'stem')] },
    ],
    quantizationAnnotation: [{ tensorName: 'y', quantParameterTensorNames: [pair('SCALE_TENSOR', 'scale')] }],
    node: [
      node('Conv', ['x', 'w'], ['y'], {
        name: `stem/${EVIL}`,
        docString: EVIL,
        metadataProps: [pair('pkg.torch.onnx.stack_trace', 'File "model.py", line 7')],
        attribute: [
          { name: 'kernel_shape', type: 7, ints: [3, 3] },
          { name: 'group', type: 2, i: 1 },
        ],
      }),
      node('If', ['yes'], ['chosen'], {
        name: 'choose',
        attribute: [
          { name: 'then_branch', type: 5, g: branch('then', 'Relu') },
          { name: 'else_branch', type: 5, g: branch('else', 'Neg') },
        ],
      }),
      node('Twice', ['chosen'], ['t'], { domain: 'local', name: 'twice' }),
      node('FastGelu', ['t'], ['z'], { domain: 'com.microsoft', name: 'gelu' }),
    ],
  },
  functions: [
    {
      name: 'Twice',
      domain: 'local',
      input: ['a'],
      output: ['b'],
      opsetImport: [opset('', 17)],
      node: [node('Add', ['a', 'a'], ['b'], { name: 'sum' })],
    },
  ],
};

function opset(domain: string, version: number) {
  return { domain, version };
}

/** Writes a model of plain messages to a folder of its own. */
export function written(name: string, model: object): string {
  const path = join(mkdtempSync(join(tmpdir(), 'studio-')), name);
  writeFileSync(path, ModelProto.encode(model as ModelProto).finish());
  return path;
}

export const notedModel = (): string => written('noted.onnx', NOTED);

const constant = (output: string, attribute: object) => node('Constant', [], [output], { attribute: [attribute] });

/** A model whose weights are all of Constant nodes, one of them in a branch: `rows` times 6 multiply-adds. */
export const constantsModel = (): string =>
  written('constants.onnx', {
    irVersion: 10,
    opsetImport: [opset('', 21)],
    graph: {
      name: 'constants',
      input: [
        { name: 'x', type: tensorType(FLOAT, ['rows', 2]) },
        { name: 'yes', type: tensorType(BOOL, []) },
      ],
      output: [
        { name: 'y', type: tensorType(FLOAT, ['rows', 3]) },
        { name: 'z', type: tensorType(FLOAT, [2]) },
      ],
      node: [
        constant('kernel', {
          name: 'value',
          type: 4,
          t: { dataType: FLOAT, dims: [2, 3], floatData: [-1.5, 1, 2, 3, 4, 5] },
        }),
        constant('listed', { name: 'value_floats', type: 6, floats: [0.25, 1, 2] }),
        constant('one', { name: 'value_int', type: 2, i: 7 }),
        node('MatMul', ['x', 'kernel'], ['product']),
        node('Add', ['product', 'listed'], ['y']),
        node('If', ['yes'], ['z'], {
          attribute: ['then_branch', 'else_branch'].map((name) => ({
            name,
            type: 5,
            g: {
              name,
              node:
                name === 'then_branch'
                  ? [constant('inner', { name: 'value_floats', type: 6, floats: [4, 5] })]
                  : [node('Neg', ['scalar'], ['inner'])],
              output: [{ name: 'inner', type: tensorType(FLOAT, [2]) }],
            },
          })),
        }),
        node('Cast', ['one'], ['scalar'], { attribute: [{ name: 'to', type: 2, i: FLOAT }] }),
      ],
    },
  });

/** A model with a step of training, which subtracts a gradient from its weight. */
export const trainedModel = (): string =>
  written('trained.onnx', {
    irVersion: 10,
    opsetImport: [opset('', 21)],
    graph: {
      name: 'inference',
      input: [{ name: 'x', type: tensorType(FLOAT, [2]) }],
      output: [{ name: 'y', type: tensorType(FLOAT, [2]) }],
      initializer: [{ name: 'w', dataType: FLOAT, dims: [2], floatData: [1, 2] }],
      node: [node('Mul', ['x', 'w'], ['y'])],
    },
    trainingInfo: [
      {
        initialization: {
          name: 'start',
          node: [node('Constant', [], ['w_first'], { attribute: [{ name: 'value_floats', type: 6, floats: [0, 0] }] })],
          output: [{ name: 'w_first', type: tensorType(FLOAT, [2]) }],
        },
        initializationBinding: [pair('w', 'w_first')],
        algorithm: {
          name: 'descent',
          input: [{ name: 'gradient', type: tensorType(FLOAT, [2]) }],
          output: [{ name: 'w_new', type: tensorType(FLOAT, [2]) }],
          node: [node('Sub', ['w', 'gradient'], ['w_new'], { name: 'step' })],
        },
        updateBinding: [pair('w', 'w_new')],
      },
    ],
  });

/** A model of initializers and attributes alone, each of which a node passes on. */
export function modelOfTensors(initializer: readonly object[], sparseInitializer: readonly object[] = []): string {
  const names = [
    ...initializer.map((tensor) => (tensor as { name: string }).name),
    ...sparseInitializer.map((_, i) => `sparse${i}`),
  ];
  return written('tensors.onnx', {
    irVersion: 11,
    opsetImport: [opset('', 23)],
    graph: {
      name: 'tensors',
      input: [{ name: 'x', type: tensorType(INT64, []) }],
      output: [{ name: 'x_out', type: tensorType(INT64, []) }],
      initializer,
      sparseInitializer,
      node: [node('Identity', ['x'], ['x_out']), ...names.map((name) => node('Identity', [name], [`${name}_out`]))],
    },
  });
}
