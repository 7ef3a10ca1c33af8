import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  AttributeProto,
  DeviceConfigurationProto,
  GraphProto,
  ModelProto,
  NodeProto,
  OperatorSetIdProto,
  StringStringEntryProto,
  TensorProto,
  TypeProto,
  ValueInfoProto,
} from '../../../build/onnx.js';
import { SardonyxError } from '../../../src/base/errors.js';
import { fromNumber } from '../../../src/model/int64.js';
import {
  assertModel,
  checkModel,
  checkNode,
  checkTensor,
  checkValueInfo,
  InvalidModelError,
  type Issue,
} from '../../../src/tools/check/index.js';
import { parseModel } from '../../../src/tools/index.js';
import { attribute, branch, definition, graphAttribute, node, sparse, tensor, valueInfo } from './made.js';

/** What faults in good models do not reach: options, versions of the format, depths, devices. */
const test = suite('the checker: rules');

const imports = (...list: readonly (readonly [string, number])[]) =>
  list.map(([domain, version]) => new OperatorSetIdProto({ domain, version }));

function modelOf(nodes: readonly NodeProto[], more: ModelProto.$Properties = {}): ModelProto {
  const graph = new GraphProto({
    name: 'g',
    node: [...nodes],
    input: [valueInfo('x')],
    output: [valueInfo('y')],
  });
  return new ModelProto({ irVersion: 10, opsetImport: imports(['', 21]), graph, ...more });
}

const BOOLEAN = '<ir_version: 8, opset_import: ["": 17]> g (bool c) => (bool d) { d = Identity (c) }';

const relu = () => node('Relu', ['x'], ['y']);

const brief = (issues: readonly Issue[]) => issues.map(({ code, path, severity }) => `${severity} ${code} ${path}`);

const found = async (model: ModelProto, options = {}) => brief(await checkModel(model, options));

test('a model without faults', async () => {
  assert.equal(await checkModel(modelOf([relu()]), { full: true }), []);
  await assertModel(modelOf([relu()]));
});

test('assertModel throws all that is wrong, and not for warnings', async () => {
  const bad = modelOf([node('Relo', ['z'], ['y'])]);
  try {
    await assertModel(bad);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, InvalidModelError);
    const { issues, code, message } = error as InvalidModelError;
    assert.is(code, 'INVALID_MODEL');
    assert.equal(brief(issues), [
      'error UNDEFINED graph.node[0].input[0]',
      'error UNKNOWN_OPERATOR graph.node[0].op_type',
    ]);
    assert.match(message, /graph\.node\[0\]\.input\[0\]: no node, input or initializer produces "z" \(and 1 more\)/);
  }
  await assertModel(modelOf([relu()], { opsetImport: imports(['', 99]) }));
});

test('the same issues from a model whose messages are frozen', async () => {
  const model = modelOf([node('Relo', ['z'], ['y'])]);
  const freeze = (message: object): object => {
    for (const value of Object.values(message))
      if (typeof value === 'object' && value && !ArrayBuffer.isView(value)) freeze(value);
    return Object.freeze(message);
  };
  const expected = await found(model, { full: true });
  assert.equal(await found(freeze(model) as ModelProto, { full: true }), expected);
});

test('IR versions 1 and 2 import nothing, and their attributes need no type in version 1', async () => {
  const old = () => node('Softmax', ['x'], ['y'], { attribute: [attribute({ name: 'axis', i: 1 })] });
  assert.equal(await found(modelOf([old()], { irVersion: 1, opsetImport: [] })), []);
  assert.equal(await found(modelOf([old()], { irVersion: 2, opsetImport: [] })), [
    'error MISSING graph.node[0].attribute.axis.type',
  ]);
  assert.equal(await found(modelOf([relu()], { irVersion: 2 })), ['error VERSION opset_import']);
});

test('what is newer than the IR version is a warning', async () => {
  const constant = new TensorProto({ name: 'w', dataType: 25, dims: [2], rawData: Uint8Array.of(1) });
  const model = modelOf([relu()]);
  model.graph?.initializer.push(constant);
  model.metadataProps.push(new StringStringEntryProto({ key: 'a', value: 'b' }));
  model.graph?.metadataProps.push(new StringStringEntryProto({ key: 'a', value: 'b' }));
  assert.equal(await found(model), ['warning FEATURE graph.initializer[0].data_type']);
  model.irVersion = 9;
  assert.equal(await found(model), [
    'warning FEATURE graph.metadata_props',
    'warning FEATURE graph.initializer[0].data_type',
  ]);
  model.irVersion = 13;
  assert.equal(await found(model), []);
});

test('operators of other domains are known where that is asked for', async () => {
  const model = () =>
    modelOf([node('Own', ['x'], ['y'], { domain: 'own' })], { opsetImport: imports(['', 21], ['own', 1]) });
  assert.equal(await found(model()), []);
  assert.equal(await found(model(), { full: true }), []);
  assert.equal(await found(model(), { customDomains: true }), ['error UNKNOWN_OPERATOR graph.node[0].op_type']);
  const own = model();
  own.functions.push(
    definition('Own', [node('Relu', ['a'], ['b'])], { domain: 'own', opsetImport: imports(['', 21]) }),
  );
  assert.equal(await found(own, { customDomains: true, full: true }), []);
});

test('a function may import another version of what has not changed, or what is asked for', async () => {
  const make = (opType: string) =>
    modelOf([relu()], { functions: [definition('f', [node(opType, ['a'], ['b'])])], opsetImport: imports(['', 21]) });
  assert.equal(await found(make('Sigmoid')), []);
  assert.equal(await found(make('Relu')), ['error VERSION functions[0].node[0].op_type']);
  assert.equal(await found(make('Relu'), { skipOpsetCompatibility: true }), []);
});

test('types are looked at unless it is said otherwise', async () => {
  const model = () => {
    const made = modelOf([node('Relu', ['flag'], ['y'])]);
    made.graph?.input.push(valueInfo('flag', 9));
    return made;
  };
  assert.equal(await found(model()), ['error TYPE_MISMATCH graph.node[0].input[0]']);
  assert.equal(await found(model(), { types: false }), []);
});

test('types follow from node to node, through constants and casts', async () => {
  const model = modelOf([
    node('Constant', [], ['c'], { attribute: [attribute({ name: 'value_ints', type: 7, ints: [1] })] }),
    node('Cast', ['x'], ['d'], { attribute: [attribute({ name: 'to', type: 2, i: 9 })] }),
    node('Add', ['c', 'x'], ['e']),
    node('Not', ['d'], ['f']),
    node('Relu', ['f'], ['y']),
  ]);
  assert.equal(await found(model), [
    'error TYPE_MISMATCH graph.node[2].input[1]',
    'error TYPE_MISMATCH graph.node[4].input[0]',
  ]);
});

test('branches see the values around them, and hide none', async () => {
  const then = branch('then', [node('Relu', ['x'], ['t'])], 't');
  const other = branch('other', [node('Neg', ['x'], ['o'])], 'o');
  const make = () =>
    modelOf([
      node('If', ['flag'], ['y'], {
        attribute: [graphAttribute('then_branch', then), graphAttribute('else_branch', other)],
      }),
    ]);
  const model = make();
  model.graph?.input.push(valueInfo('flag', 9));
  assert.equal(await found(model, { full: true }), []);
  then.initializer.push(new TensorProto({ name: 'x', dataType: 1, dims: [1], floatData: [1] }));
  assert.equal(await found(model), ['warning SHADOWED graph.node[0].attribute.then_branch.g.initializer[0].name']);
});

test('an initializer of a subgraph is no input of it', async () => {
  const body = new GraphProto({
    name: 'body',
    input: [valueInfo('i', 7), valueInfo('go', 9), valueInfo('v')],
    output: [valueInfo('going', 9), valueInfo('w')],
    node: [node('Identity', ['go'], ['going']), node('Relu', ['v'], ['w'])],
    initializer: [tensor('i', 7, [2], [1, 2])],
  });
  const loop = node('Loop', ['', '', 'x'], ['y'], { attribute: [graphAttribute('body', body)] });
  assert.equal(await found(modelOf([loop])), ['error SHADOWED graph.node[0].attribute.body.g.initializer[0]']);
});

test('graphs and types may be nested, but not without end', async () => {
  let inner = branch('innermost', [node('Relu', ['x'], ['y'])], 'y');
  for (let i = 0; i < 3000; i++)
    inner = branch(
      'b',
      [new NodeProto({ opType: 'If', input: ['x'], output: ['y'], attribute: [graphAttribute('then_branch', inner)] })],
      'y',
    );
  const issues = await found(
    modelOf([
      new NodeProto({ opType: 'If', input: ['x'], output: ['y'], attribute: [graphAttribute('then_branch', inner)] }),
    ]),
  );
  assert.is(issues.filter((text) => text.startsWith('error NESTING')).length, 1);

  let type = new TypeProto({ tensorType: { elemType: 1, shape: {} } });
  for (let i = 0; i < 3000; i++) type = new TypeProto({ sequenceType: { elemType: type } });
  const info = valueInfo('deep');
  info.type = type;
  assert.equal(
    checkValueInfo(info).map(({ code }) => code),
    ['NESTING'],
  );
});

test('thousands of functions in a row are followed without recursion', async () => {
  const functions = Array.from({ length: 3000 }, (_, i) =>
    definition(`f${i}`, [node(i < 2999 ? `f${i + 1}` : 'f0', ['a'], ['b'], { domain: 'fault' })]),
  );
  const issues = await found(modelOf([relu()], { functions }));
  assert.ok(issues.some((text) => text.startsWith('error NESTING functions[')));
});

test('devices', async () => {
  const made = (sharding: object) =>
    modelOf(
      [
        node('Relu', ['x'], ['y'], {
          deviceConfigurations: [{ configurationId: 'two', shardingSpec: [sharding] } as never],
        }),
      ],
      {
        irVersion: 11,
        configuration: [new DeviceConfigurationProto({ name: 'two', numDevices: 2 })],
      },
    );
  const spec = (more: object) => ({ tensorName: 'x', device: [], indexToDeviceGroupMap: [], shardedDim: [], ...more });
  const place = 'graph.node[0].device_configurations[0].sharding_spec[0]';
  assert.equal(await found(made(spec({ device: [0, 1] }))), []);
  assert.equal(await found(made(spec({ device: [0, 2] }))), [`error DEVICE ${place}.device[1]`]);
  assert.equal(await found(made(spec({ tensorName: 'z' }))), [`error DEVICE ${place}.tensor_name`]);
  const group = { indexToDeviceGroupMap: [{ key: -1, value: [0, 1] }], device: [-1] };
  assert.equal(await found(made(spec(group))), []);
  const shards = { shardedDim: [{ axis: 0, simpleSharding: [{ numShards: 0 }] }] };
  assert.equal(await found(made(spec(shards))), [`error DEVICE ${place}.sharded_dim[0].simple_sharding[0].num_shards`]);
});

test('external data are looked for where it is said how', async () => {
  const model = () => {
    const made = modelOf([relu()]);
    made.graph?.initializer.push(
      new TensorProto({
        name: 'w',
        dataType: 1,
        dims: [2],
        dataLocation: 1,
        externalData: [{ key: 'location', value: 'w.bin' }] as never,
      }),
    );
    return made;
  };
  const asked: unknown[] = [];
  const here = (...range: unknown[]) => {
    asked.push(range);
    return () => new Uint8Array(8);
  };
  const nowhere = () => {
    throw new SardonyxError('EXTERNAL_DATA', 'not there');
  };
  assert.equal(await found(model(), { full: true }), []);
  assert.equal(await found(model(), { externalData: here }), []);
  assert.equal(asked, [['w.bin', 0, 8]]);
  assert.equal(await found(model(), { externalData: nowhere }), [
    'error EXTERNAL_DATA graph.initializer[0].external_data',
  ]);
});

test('a contradiction between what is declared and what follows', async () => {
  const model = modelOf([node('Transpose', ['x'], ['t'], { attribute: [] }), node('Relu', ['t'], ['y'])]);
  const [input] = model.graph?.input ?? [];
  if (input) input.type = new TypeProto({ tensorType: { elemType: 1, shape: { dim: [{ dimValue: 3 }] } } });
  const issues = await checkModel(model, { full: true });
  assert.equal(brief(issues), ['error INFERENCE graph.node[1]']);
  assert.match(issues[0]?.message ?? '', 'inferred float32[3], but declared as float32[2]');
});

test('inference goes on beside errors, and does not repeat them', async () => {
  const model = modelOf([
    node('Relo', ['x'], ['a']),
    node('Reshape', ['x', 'shape'], ['b']),
    node('Relu', ['x'], ['y']),
  ]);
  model.graph?.initializer.push(tensor('shape', 7, [1], [5]));
  assert.equal(await found(model, { full: true }), [
    'error UNKNOWN_OPERATOR graph.node[0].op_type',
    'error INFERENCE graph.node[1]',
  ]);
});

test('messages by themselves', () => {
  assert.equal(checkNode(relu()), []);
  assert.equal(brief(checkNode(node('Upsample', ['x'], ['y']), { opsets: [['', 13]] })), ['error DEPRECATED op_type']);
  assert.equal(brief(checkNode(node('Relu', ['x', 'x'], ['y']))), ['error ARITY input']);
  assert.equal(brief(checkTensor(tensor('t', 7, [2], [1]))), ['error TENSOR_DATA int64_data']);
  assert.equal(brief(checkTensor(tensor('t', 7, [1], [1]))), []);
  const scale = new AttributeProto({ name: 'alpha', type: 1, refAttrName: 'beyond' });
  assert.equal(checkNode(node('LeakyRelu', ['x'], ['y'], { attribute: [scale] })), []);
});

test('an initializer has the shape of the input of its name', async () => {
  const make = (dims: number[]) => {
    const model = modelOf([relu()]);
    const floatData = new Array<number>(dims.reduce((n, d) => n * d, 1)).fill(0);
    model.graph?.initializer.push(new TensorProto({ name: 'x', dataType: 1, dims, floatData }));
    return model;
  };
  assert.equal(await found(make([2])), []);
  assert.equal(await found(make([3]), { types: false }), []);
  for (const dims of [[3], [2, 1]])
    assert.equal(await found(make(dims)), ['error TYPE_MISMATCH graph.initializer[0].dims']);
});

test('nodes of one name are a warning; those without one are not', async () => {
  const called = (name: string) =>
    modelOf([node('Relu', ['x'], ['a'], { name }), node('Relu', ['a'], ['y'], { name })]);
  assert.equal(await found(called('twice')), ['warning DUPLICATE graph.node[1]']);
  assert.equal(await found(called('')), []);
});

test('an overload that no function has', async () => {
  const make = (overload: string) =>
    modelOf([node('f', ['x'], ['y'], { domain: 'fault', overload })], {
      functions: [definition('f', [node('Sigmoid', ['a'], ['b'])], { overload: 'one' })],
      opsetImport: imports(['', 21], ['fault', 1]),
    });
  assert.equal(await found(make('one')), []);
  assert.equal(await found(make('two')), ['error UNKNOWN_OPERATOR graph.node[0].op_type']);
});

test('numbers of outputs with a gap', () => {
  const outputs = (count: number) =>
    checkNode(node('BatchNormalization', ['x', 's', 'b', 'm', 'v'], ['y', 'mean', 'var'].slice(0, count)), {
      opsets: [['', 15]],
    });
  assert.equal(
    [1, 2, 3].map((count) => brief(outputs(count))),
    [[], ['error ARITY output'], []],
  );
});

test('sparse tensors by coordinates', async () => {
  const make = (indices: number[]) => {
    const model = modelOf([relu()]);
    model.graph?.sparseInitializer.push(
      sparse('s', [1, 2], [], { dims: [3, 3], indices: tensor('', 7, [2, 2], indices) }),
    );
    return model;
  };
  assert.equal(await found(make([0, 1, 2, 2])), []);
  for (const wrong of [
    [0, 1, 0, 0],
    [0, 1, 0, 1],
    [0, 3, 1, 0],
  ])
    assert.equal(await found(make(wrong)), ['error SPARSE_TENSOR graph.sparse_initializer[0].indices'], `${wrong}`);
});

const errorsOf = async (text: string) =>
  (await checkModel(parseModel(text).proto, { full: true })).flatMap(({ severity, message }) =>
    severity === 'error' ? [message] : [],
  );

test('elements below a byte take an entry of int32_data for each byte, as onnx.helper packs them', async () => {
  for (const [code, count, entries] of [
    [21, 5, 3],
    [22, 8, 4],
    [23, 3, 2],
    [25, 5, 2],
  ] as const) {
    const packed = (length: number) =>
      new TensorProto({
        name: 'w',
        dims: [fromNumber(count)],
        dataType: code,
        int32Data: new Array(length).fill(0x21),
      });
    assert.equal(checkTensor(packed(entries)), [], `type ${code}`);
    for (const length of [entries - 1, entries + 1])
      assert.match(checkTensor(packed(length))[0]?.message ?? '', /needs \d entries, got/);
  }
});

test('TopK of more than the axis has', async () => {
  const topK = (opset: number, k: string) =>
    `<ir_version: 8, opset_import: ["": ${opset}]> g (float[3] x) => (float[n] v, int64[n] i) <int64[1] k = {5}> { v, i = TopK ${k} }`;
  for (const [opset, k] of [
    [9, '<k = 5> (x)'],
    [17, '(x, k)'],
  ] as const)
    assert.equal(await errorsOf(topK(opset, k)), ['k is 5; the axis has 3 elements']);
});

test('an output that is listed twice has one type', async () => {
  const listed = (second: string) =>
    errorsOf(`<ir_version: 8, opset_import: ["": 17]> g (float[3] x) => (float[3] y, ${second} y) { y = Neg (x) }`);
  assert.equal(await listed('float[n]'), []);
  for (const other of ['float[5]', 'float[3,1]'])
    assert.equal(await listed(other), ['"y" is listed twice with different types']);
});

test('outputs of branches may leave their types open; those of models may not', async () => {
  const open = new TypeProto({ tensorType: new TypeProto.Tensor({ elemType: 0 }) });
  for (const type of [null, new TypeProto({}), open]) {
    const inner = (op: string) =>
      new GraphProto({ name: op, node: [node(op, ['x'], [op])], output: [new ValueInfoProto({ name: op, type })] });
    const If = node('If', ['c'], ['y'], {
      attribute: [graphAttribute('then_branch', inner('Neg')), graphAttribute('else_branch', inner('Exp'))],
    });
    const model = modelOf([If]);
    const c = new ValueInfoProto({ name: 'c', type: parseModel(BOOLEAN).proto.graph?.input[0]?.type ?? null });
    const graph = new GraphProto({ ...model.graph, input: [c, valueInfo('x')] });
    assert.equal(await found(new ModelProto({ ...model, graph }), { full: true }), []);
    const output = [new ValueInfoProto({ name: 'y', type })];
    assert.ok((await found(new ModelProto({ ...model, graph: new GraphProto({ ...graph, output }) }))).length > 0);
  }
});

test('the first factor of SparseToDenseMatMul may be sparse', async () => {
  const product = (op: string) =>
    errorsOf(`<ir_version: 8, opset_import: ["": 17, "com.microsoft": 1]>
      g (sparse_tensor(float[3,4]) w, float[4,2] x) => (float[3,2] y) { y = ${op} (w, x) }`);
  assert.equal(await product('com.microsoft.SparseToDenseMatMul'), []);
  assert.is((await product('MatMul')).length, 1);
});

test.run();
