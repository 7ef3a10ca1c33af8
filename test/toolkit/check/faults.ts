import {
  type AttributeProto,
  DeviceConfigurationProto,
  type NodeProto,
  OperatorSetIdProto,
  StringStringEntryProto,
  TensorAnnotation,
  TensorProto,
  TrainingInfoProto,
  TypeProto,
} from '../../../build/onnx.js';
import { toNumber } from '../../../src/model/int64.js';
import type { IssueCode } from '../../../src/tools/check/index.js';
import {
  addInput,
  addNode,
  attribute,
  branch,
  definition,
  graphAttribute,
  node,
  sparse,
  tensor,
  valueInfo,
} from './made.js';
import { declared, graphsOf, hasOpset, type Place, type Site, takeBorder, takeNode, takeTensor } from './place.js';

/** What a fault must be found as. */
export interface Expected {
  readonly code: IssueCode;
  readonly path: string;
  readonly severity?: 'warning';
  readonly value?: string;
  readonly node?: NodeProto;
}

/** Puts a fault into a model, and says how it must be found; undefined where the model has no place for it. */
export type Fault = (site: Site) => Expected | undefined;

const [INT, FLOAT, STRING] = [2, 1, 3];
const [BOOL, INT32, INT64, FLOATS] = [9, 6, 7, 1];

const inNode = (
  found: Place<NodeProto> | undefined,
  fault: (node: NodeProto, path: string, site: Site) => Omit<Expected, 'node'> | undefined,
  site: Site,
): Expected | undefined => {
  const expected = found && fault(found.it, found.path, site);
  return expected && { ...expected, node: found.it };
};

/** A fault of a node of which something holds. */
const ofNode =
  (
    test: (node: NodeProto, site: Site) => boolean,
    fault: (node: NodeProto, path: string, site: Site) => Omit<Expected, 'node'> | undefined,
  ): Fault =>
  (site) =>
    inNode(
      takeNode(site, (candidate) => test(candidate, site)),
      fault,
      site,
    );

const ofTensor =
  (fault: (it: TensorProto, path: string) => Expected): Fault =>
  (site) => {
    const found = takeTensor(site);
    return found && { value: found.it.name, ...fault(found.it, found.path) };
  };

const ofBorder =
  (field: 'input' | 'output', fault: (place: NonNullable<ReturnType<typeof takeBorder>>) => Expected): Fault =>
  (site) => {
    const found = takeBorder(site, field);
    return found && fault(found);
  };

const isOfOnnx = (it: NodeProto, site: Site) => declared(site, it) !== undefined;
const hasAttribute = (it: NodeProto) => it.attribute.length > 0;
const hasSimple = ({ attribute: list }: NodeProto) => list.some(({ type }) => type === INT);
const intOf = ({ attribute: list }: NodeProto) => list.find(({ type }) => type === INT) as AttributeProto;

/** An external tensor in place of one that has its data. */
const external = (it: TensorProto, entries: Readonly<Record<string, string>>, keeps = false): void => {
  if (!keeps) it.rawData = new Uint8Array();
  it.dataLocation = 1;
  it.externalData = Object.entries(entries).map(([key, value]) => new StringStringEntryProto({ key, value }));
};

/** Faults of nodes, tensors, and what is at the border of a graph: many at once do not hide each other. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'a key of metadata_props twice': ({ model }) => {
    const key = `fault ${model.metadataProps.length}`;
    for (let i = 0; i < 2; i++) model.metadataProps.push(new StringStringEntryProto({ key, value: '' }));
    return { code: 'DUPLICATE', path: `metadata_props[${model.metadataProps.length - 1}]`, value: key };
  },
  'an input twice': ({ model: { graph } }) => {
    if (!graph?.input[0]) return undefined;
    graph.input.push(graph.input[0]);
    return { code: 'DUPLICATE', path: `graph.input[${graph.input.length - 1}]`, value: graph.input[0].name };
  },
  'an input without a type': ofBorder('input', ({ it, path }) => {
    it.type = null;
    return { code: 'MISSING', path: `${path}.type`, value: it.name };
  }),
  'an input without a shape': ofBorder('input', ({ it, path }) => {
    if (it.type?.tensorType) it.type.tensorType.shape = null;
    return { code: 'MISSING', path: `${path}.type.tensor_type.shape`, value: it.name };
  }),
  'an input of no type': ofBorder('input', ({ it, path }) => {
    if (it.type?.tensorType) it.type.tensorType.elemType = 0;
    return { code: 'TYPE', path: `${path}.type.tensor_type.elem_type`, value: it.name };
  }),
  'an input of an unknown type': ofBorder('input', ({ it, path }) => {
    if (it.type?.tensorType) it.type.tensorType.elemType = 77;
    return { code: 'TYPE', path: `${path}.type.tensor_type.elem_type`, value: it.name };
  }),
  'an input with a negative size': ofBorder('input', ({ it, path }) => {
    const dim = it.type?.tensorType?.shape?.dim ?? [];
    dim.push({ dimValue: -3 } as never);
    return {
      code: 'SHAPE',
      severity: 'warning',
      path: `${path}.type.tensor_type.shape.dim[${dim.length - 1}]`,
      value: it.name,
    };
  }),
  'an output that nothing makes': ofBorder('output', ({ it, path }) => {
    it.name = `${it.name}_nowhere`;
    return { code: 'UNDEFINED', path, value: it.name };
  }),
  'an output whose type says nothing': ofBorder('output', ({ it, path }) => {
    it.type = new TypeProto();
    return { code: 'TYPE', path: `${path}.type`, value: it.name };
  }),
  'a map with float keys': ({ model: { graph } }) => {
    if (!graph) return undefined;
    const info = valueInfo(`fault_map_${graph.input.length}`);
    info.type = new TypeProto({ mapType: { keyType: FLOATS, valueType: valueInfo('').type } });
    const path = `graph.input[${graph.input.push(info) - 1}].type.map_type.key_type`;
    return { code: 'TYPE', path, value: info.name };
  },
  'a sequence of nothing': ({ model: { graph } }) => {
    if (!graph) return undefined;
    const info = valueInfo(`fault_sequence_${graph.input.length}`);
    info.type = new TypeProto({ sequenceType: {} });
    const path = `graph.input[${graph.input.push(info) - 1}].type.sequence_type.elem_type`;
    return { code: 'MISSING', path, value: info.name };
  },
  'an opaque type without a name': ({ model: { graph } }) => {
    if (!graph) return undefined;
    const info = valueInfo(`fault_opaque_${graph.input.length}`);
    info.type = new TypeProto({ opaqueType: {} });
    const path = `graph.input[${graph.input.push(info) - 1}].type.opaque_type.name`;
    return { code: 'MISSING', path, value: info.name };
  },
  'an initializer twice': (site) => {
    const graph = graphsOf(site).find(({ it }) => it.initializer.length > 0);
    const [first] = graph?.it.initializer ?? [];
    if (!graph || !first) return undefined;
    const path = `${graph.path}.initializer[${graph.it.initializer.push(first) - 1}].name`;
    return { code: 'DUPLICATE', path, value: first.name };
  },
  'an initializer without a name': (site) => {
    const graph = site.model.graph;
    if (!graph || toNumber(site.model.irVersion) < 4) return undefined;
    return {
      code: 'MISSING',
      path: `graph.initializer[${graph.initializer.push(tensor('', INT64, [1], [1])) - 1}].name`,
    };
  },
  'value_info of a value that is not there': ({ model: { graph } }) => {
    if (!graph) return undefined;
    const path = `graph.value_info[${graph.valueInfo.push(valueInfo('fault_nobody')) - 1}]`;
    return { code: 'UNDEFINED', severity: 'warning', path, value: 'fault_nobody' };
  },
  'a quantization annotation of a value that is not there': ({ model: { graph } }) => {
    const annotation = new TensorAnnotation({ tensorName: 'fault_nobody' });
    const count = graph?.quantizationAnnotation.push(annotation) ?? 0;
    return {
      code: 'UNDEFINED',
      path: `graph.quantization_annotation[${count - 1}].tensor_name`,
      value: 'fault_nobody',
    };
  },
  'a node without an operator': ofNode(
    () => true,
    (it, path) => {
      it.opType = '';
      return { code: 'MISSING', path: `${path}.op_type` };
    },
  ),
  'an operator that nobody has': ofNode(isOfOnnx, (it, path) => {
    it.opType = 'Nonesuch';
    return { code: 'UNKNOWN_OPERATOR', path: `${path}.op_type` };
  }),
  'an operator of a later opset': ofNode(
    (it, site) => isOfOnnx(it, site) && !hasOpset(site, 28),
    (it, path) => {
      it.opType = 'SwiGLU';
      return { code: 'UNKNOWN_OPERATOR', path: `${path}.op_type` };
    },
  ),
  'an operator that is none any more': ofNode(
    (it, site) => isOfOnnx(it, site) && hasOpset(site, 11),
    (it, path) => {
      it.opType = 'Scatter';
      return { code: 'DEPRECATED', path: `${path}.op_type` };
    },
  ),
  'a domain that is not imported': ofNode(
    () => true,
    (it, path) => {
      it.domain = 'fault.nowhere';
      return { code: 'UNKNOWN_DOMAIN', path: `${path}.domain` };
    },
  ),
  'an input that nothing makes': ofNode(
    ({ input }) => input.length > 0,
    (it, path, { random }) => {
      const i = random.below(it.input.length);
      it.input[i] = 'fault_nobody';
      return { code: 'UNDEFINED', path: `${path}.input[${i}]`, value: 'fault_nobody' };
    },
  ),
  'a node that needs itself': ofNode(
    ({ input, output }) => input.length > 0 && Boolean(output[0]),
    (it, path, { random }) => {
      const i = random.below(it.input.length);
      it.input[i] = it.output[0] as string;
      return { code: 'NOT_SORTED', path: `${path}.input[${i}]`, value: it.output[0] as string };
    },
  ),
  'a value that two nodes make': (site) => {
    const { model } = site;
    const known = model.graph?.node.find(({ output }) => Boolean(output[0]))?.output[0];
    if (!known || !hasOpset({ model } as Site, 1)) return undefined;
    const added = node('Identity', [addInput(site)], [known]);
    return { code: 'NOT_SSA', path: `${addNode(site, added)}.output[0]`, value: known, node: added };
  },
  'an input too many': ofNode(
    (it, site) => isOfOnnx(it, site) && declared(site, it)?.inputs.at(-1)?.option !== 'variadic' && it.input.length > 0,
    (it, path, site) => {
      const most = declared(site, it)?.inputs.length ?? 0;
      while (it.input.length <= most) it.input.push(it.input[0] as string);
      return { code: 'ARITY', path: `${path}.input` };
    },
  ),
  'no inputs where some are needed': ofNode(
    (it, site) => isOfOnnx(it, site) && declared(site, it)?.inputs[0]?.option === 'single',
    (it, path) => {
      it.input = [];
      return { code: 'ARITY', path: `${path}.input` };
    },
  ),
  'an input left out that must be there': ofNode(
    (it, site) => isOfOnnx(it, site) && declared(site, it)?.inputs[0]?.option === 'single',
    (it, path) => {
      it.input[0] = '';
      return { code: 'ARITY', path: `${path}.input[0]` };
    },
  ),
  'an output too many': ofNode(
    (it, site) => isOfOnnx(it, site) && declared(site, it)?.outputs.at(-1)?.option !== 'variadic',
    (it, path, site) => {
      const most = declared(site, it)?.outputs.length ?? 0;
      while (it.output.length <= most) it.output.push(`fault_more_${it.output.length}_${path}`);
      return { code: 'ARITY', path: `${path}.output` };
    },
  ),
  'a node without inputs and outputs': (site) => {
    const added = node('Identity', [], []);
    return { code: 'ARITY', path: addNode(site, added), node: added };
  },
  'an attribute that the operator lacks': ofNode(
    (it, site) => isOfOnnx(it, site) && !declared(site, it)?.open,
    (it, path) => {
      it.attribute.push(attribute({ name: 'nonesuch', type: INT, i: 1 }));
      return { code: 'UNKNOWN_ATTRIBUTE', path: `${path}.attribute.nonesuch`, value: 'nonesuch' };
    },
  ),
  'an attribute twice': ofNode(hasAttribute, (it, path) => {
    const [first] = it.attribute as [AttributeProto];
    it.attribute.push(first);
    return { code: 'DUPLICATE', path: `${path}.attribute.${first.name}`, value: first.name };
  }),
  'an attribute whose value is of another type': ofNode(hasSimple, (it, path) => {
    const found = intOf(it);
    found.type = STRING;
    return { code: 'ATTRIBUTE_TYPE', path: `${path}.attribute.${found.name}`, value: found.name };
  }),
  'an attribute with two values': ofNode(hasSimple, (it, path) => {
    const found = intOf(it);
    found.floats = [1, 2];
    return { code: 'ATTRIBUTE_VALUE', path: `${path}.attribute.${found.name}`, value: found.name };
  }),
  'an attribute without a type': ofNode(hasSimple, (it, path) => {
    const found = intOf(it);
    found.type = 0;
    return { code: 'MISSING', path: `${path}.attribute.${found.name}.type`, value: found.name };
  }),
  'an attribute of an unknown type': ofNode(hasSimple, (it, path) => {
    const found = intOf(it);
    found.type = 99 as never;
    return { code: 'ATTRIBUTE_TYPE', path: `${path}.attribute.${found.name}.type`, value: found.name };
  }),
  'an attribute of another type than declared': ofNode(
    (it, site) => hasSimple(it) && declared(site, it)?.attributes.get(intOf(it).name)?.type === 'int',
    (it, path) => {
      const { name } = intOf(it);
      it.attribute[it.attribute.indexOf(intOf(it))] = attribute({ name, type: FLOAT, f: 1 });
      return { code: 'ATTRIBUTE_TYPE', path: `${path}.attribute.${name}`, value: name };
    },
  ),
  'an attribute without a name': ofNode(
    () => true,
    (it, path) => ({
      code: 'MISSING',
      path: `${path}.attribute[${it.attribute.push(attribute({ type: INT, i: 1 })) - 1}].name`,
    }),
  ),
  'a required attribute left out': ofNode(
    (it, site) => it.attribute.some(({ name }) => declared(site, it)?.attributes.get(name)?.required),
    (it, path, site) => {
      const found = it.attribute.find(({ name }) => declared(site, it)?.attributes.get(name)?.required);
      it.attribute = it.attribute.filter((other) => other !== found);
      return { code: 'MISSING', path: `${path}.attribute`, ...(found && { value: found.name }) };
    },
  ),
  'a reference outside of functions': ofNode(hasSimple, (it, path) => {
    const { name } = intOf(it);
    it.attribute[it.attribute.indexOf(intOf(it))] = attribute({ name, type: INT, refAttrName: 'beyond' });
    return { code: 'REFERENCE', path: `${path}.attribute.${name}.ref_attr_name`, value: name };
  }),
  'a tensor attribute without a tensor': (site) => {
    const { model } = site;
    const added = node('Constant', [], [`fault_constant_${model.graph?.node.length}`], {
      attribute: [attribute({ name: 'value', type: 4 })],
    });
    return { code: 'ATTRIBUTE_VALUE', path: `${addNode(site, added)}.attribute.value`, value: 'value', node: added };
  },
  'a tensor of no type': ofTensor((it, path) => {
    it.dataType = 0;
    return { code: 'TYPE', path: `${path}.data_type` };
  }),
  'a tensor of an unknown type': ofTensor((it, path) => {
    it.dataType = 88;
    return { code: 'TYPE', path: `${path}.data_type` };
  }),
  'a tensor cut short': ofTensor((it, path) => {
    it.rawData = it.rawData.slice(0, -1);
    return { code: 'TENSOR_DATA', path: `${path}.raw_data` };
  }),
  'a tensor with a byte too many': ofTensor((it, path) => {
    const longer = new Uint8Array(it.rawData.length + 1);
    longer.set(it.rawData);
    it.rawData = longer;
    return { code: 'TENSOR_DATA', path: `${path}.raw_data` };
  }),
  'a tensor of another shape': ofTensor((it, path) => {
    it.dims[0] = toNumber(it.dims[0] ?? 0) + 1;
    return { code: 'TENSOR_DATA', path: `${path}.raw_data` };
  }),
  'a tensor with a negative size': ofTensor((it, path) => {
    it.dims[0] = -1;
    return { code: 'SHAPE', path: `${path}.dims[0]` };
  }),
  'a tensor of 2¹²⁴ elements': ofTensor((it, path) => {
    it.dims = [2 ** 62, 2 ** 62];
    return { code: 'SHAPE', path: `${path}.dims` };
  }),
  'a tensor with data in two fields': ofTensor((it, path) => {
    it.floatData = [1];
    return { code: 'TENSOR_DATA', path };
  }),
  'a tensor without data': ofTensor((it, path) => {
    it.rawData = new Uint8Array();
    return { code: 'TENSOR_DATA', path };
  }),
  'a tensor whose data are in the field of strings': ofTensor((it, path) => {
    it.rawData = new Uint8Array();
    it.stringData = [Uint8Array.of(1)];
    return { code: 'TENSOR_DATA', path: `${path}.string_data` };
  }),
  'strings in raw data': ofTensor((it, path) => {
    it.dataType = 8;
    return { code: 'TENSOR_DATA', path: `${path}.raw_data` };
  }),
  'a tensor in segments': ofTensor((it, path) => {
    it.segment = new TensorProto.Segment({ begin: 0, end: 1 });
    return { code: 'TENSOR_DATA', path: `${path}.segment` };
  }),
  'external data without a location': ofTensor((it, path) => {
    external(it, { offset: '0' });
    return { code: 'EXTERNAL_DATA', path: `${path}.external_data` };
  }),
  'external data outside of the folder': ofTensor((it, path) => {
    external(it, { location: '../elsewhere.bin' });
    return { code: 'EXTERNAL_DATA', path: `${path}.external_data` };
  }),
  'external data at an absolute path': ofTensor((it, path) => {
    external(it, { location: '/etc/passwd' });
    return { code: 'EXTERNAL_DATA', path: `${path}.external_data` };
  }),
  'external data at no offset': ofTensor((it, path) => {
    external(it, { location: 'weights.bin', offset: 'ten' });
    return { code: 'EXTERNAL_DATA', path: `${path}.external_data` };
  }),
  'external data of another length': ofTensor((it, path) => {
    external(it, { location: 'weights.bin', length: '1' });
    if (it.dataType === 9 || toNumber(it.dims.at(-1) ?? 0) === 1) it.dims = [100];
    return { code: 'EXTERNAL_DATA', path: `${path}.external_data` };
  }),
  'external data beside raw data': ofTensor((it, path) => {
    external(it, { location: 'weights.bin' }, true);
    return { code: 'TENSOR_DATA', path };
  }),
  'data at no place': ofTensor((it, path) => {
    it.dataLocation = 7 as never;
    return { code: 'EXTERNAL_DATA', path: `${path}.data_location` };
  }),
  'a type that the operator does not take': (site) => {
    const input = addInput(site, BOOL);
    const added = node('Add', [input, input], [`${input}_sum`]);
    return { code: 'TYPE_MISMATCH', path: `${addNode(site, added)}.input[0]`, value: input, node: added };
  },
  'two types where one is wanted': (site) => {
    const [a, b] = [addInput(site), addInput(site, INT32)];
    const added = node('Add', [a, b], [`${b}_sum`]);
    return { code: 'TYPE_MISMATCH', path: `${addNode(site, added)}.input[1]`, value: b, node: added };
  },
  'an output declared of another type': (site) => {
    const { model } = site;
    const input = addInput(site);
    const added = node('Relu', [input], [`${input}_relu`]);
    model.graph?.output.push(valueInfo(`${input}_relu`, INT64));
    return { code: 'TYPE_MISMATCH', path: `${addNode(site, added)}.output[0]`, value: `${input}_relu`, node: added };
  },
  'a sparse tensor whose index is outside': sparsely(
    (name) => sparse(name, [1, 2], [3, 10]),
    'SPARSE_TENSOR',
    'indices',
  ),
  'a sparse tensor out of order': sparsely((name) => sparse(name, [1, 2], [7, 3]), 'SPARSE_TENSOR', 'indices'),
  'a sparse tensor with an index twice': sparsely((name) => sparse(name, [1, 2], [3, 3]), 'SPARSE_TENSOR', 'indices'),
  'a sparse tensor with too few indices': sparsely(
    (name) => sparse(name, [1, 2], [3]),
    'SPARSE_TENSOR',
    'indices.dims',
  ),
  'a sparse tensor without axes': sparsely((name) => sparse(name, [1], [0], { dims: [] }), 'SPARSE_TENSOR', 'dims'),
  'a sparse tensor without indices': sparsely((name) => sparse(name, [1], [], { indices: null }), 'MISSING', 'indices'),
  'a sparse tensor with a size of 0': sparsely(
    (name) => sparse(name, [1], [0], { dims: [0] }),
    'SPARSE_TENSOR',
    'dims[0]',
  ),
  'a function that calls itself': ofFunction((name) => ({
    made: definition(name, [node(name, ['a'], ['b'], { domain: 'fault' })]),
    expected: { code: 'RECURSION', path: '', value: name },
  })),
  'a function that nothing ends': ofFunction((name) => ({
    made: definition(name, [node('Relu', ['a'], ['c'])]),
    expected: { code: 'UNDEFINED', path: '.output[0]', value: 'b' },
  })),
  'a function with an input twice': ofFunction((name) => ({
    made: definition(name, [node('Relu', ['a'], ['b'])], { input: ['a', 'a'] }),
    expected: { code: 'DUPLICATE', path: '.input', value: 'a' },
  })),
  'a function without a domain': ofFunction((name) => {
    const { domain: _, ...made } = definition(name, [node('Relu', ['a'], ['b'])]);
    return { made: made as never, expected: { code: 'MISSING', path: '.domain', value: name } };
  }),
  'a function with a node that reads nothing': ofFunction((name) => {
    const inner = node('Relu', ['z'], ['b']);
    return { made: definition(name, [inner]), expected: { code: 'UNDEFINED', path: '.node[0].input[0]', node: inner } };
  }),
  'a function whose node refers to no attribute': ofFunction((name) => {
    const inner = node('Softmax', ['a'], ['b'], {
      attribute: [attribute({ name: 'axis', type: INT, refAttrName: 'x' })],
    });
    const path = '.node[0].attribute.axis.ref_attr_name';
    return { made: definition(name, [inner]), expected: { code: 'REFERENCE', path, value: 'axis', node: inner } };
  }),
  'a function whose node is of a domain that it does not import': ofFunction((name) => {
    const inner = node('Relu', ['a'], ['b'], { domain: 'fault.nowhere' });
    return {
      made: definition(name, [inner]),
      expected: { code: 'UNKNOWN_DOMAIN', path: '.node[0].domain', node: inner },
    };
  }),
  'a branch that gives a value from outside': (site) =>
    ofBranch(
      site,
      (input) => branch('outside', [], input),
      (path, input) => ({
        code: 'UNDEFINED',
        path: `${path}.output[0]`,
        value: input,
      }),
    ),
  'a branch that makes a value of the graph around': (site) =>
    ofBranch(
      site,
      (input) => branch('again', [node('Relu', [input], [input])], input),
      (path, input) => ({
        code: 'NOT_SSA',
        path: `${path}.node[0].output[0]`,
        value: input,
      }),
    ),
  'a branch without a name': (site) =>
    ofBranch(
      site,
      (input) => branch('', [node('Relu', [input], [`${input}_in`])], `${input}_in`),
      (path) => ({
        code: 'MISSING',
        path: `${path}.name`,
      }),
    ),
  'a binding of what is no initializer': ({ model }) => {
    const binding = new StringStringEntryProto({ key: 'fault_nobody', value: 'loss' });
    const count = model.trainingInfo.push(
      new TrainingInfoProto({ algorithm: branch('step', [], 'loss'), updateBinding: [binding] }),
    );
    return { code: 'TRAINING', path: `training_info[${count - 1}].update_binding[0].key`, value: 'fault_nobody' };
  },
  'a binding to no output': ({ model }) => {
    const binding = new StringStringEntryProto({ key: 'w', value: 'nothing' });
    const algorithm = branch('step', [], 'loss');
    algorithm.initializer.push(tensor('w', INT64, [1], [1]));
    const count = model.trainingInfo.push(new TrainingInfoProto({ algorithm, updateBinding: [binding] }));
    return { code: 'TRAINING', path: `training_info[${count - 1}].update_binding[0].value`, value: 'nothing' };
  },
  'a device configuration with another number of devices': ({ model }) => {
    const name = `fault_${model.configuration.length}`;
    const made = new DeviceConfigurationProto({ name, numDevices: 2, device: ['one'] });
    return { code: 'DEVICE', path: `configuration[${model.configuration.push(made) - 1}].device`, value: name };
  },
  'a node under a configuration that is not there': ofNode(
    () => true,
    (it, path) => {
      const count = it.deviceConfigurations.push({ configurationId: 'none', shardingSpec: [] } as never);
      return { code: 'DEVICE', path: `${path}.device_configurations[${count - 1}].configuration_id`, value: 'none' };
    },
  ),
};

function sparsely(make: (name: string) => ReturnType<typeof sparse>, code: IssueCode, field: string): Fault {
  return ({ model: { graph } }) => {
    const name = `fault_sparse_${graph?.sparseInitializer.length}`;
    const count = graph?.sparseInitializer.push(make(name)) ?? 0;
    return { code, path: `graph.sparse_initializer[${count - 1}].${field}`, value: name };
  };
}

function ofFunction(make: (name: string) => { made: ReturnType<typeof definition>; expected: Expected }): Fault {
  return ({ model }) => {
    if (toNumber(model.irVersion) < 8) return undefined;
    const { made, expected } = make(`f${model.functions.length}`);
    const path = `functions[${model.functions.push(made) - 1}]`;
    return { ...expected, path: path + expected.path };
  };
}

/** An If behind all nodes, one of whose branches is `make`'s. */
function ofBranch(
  site: Site,
  make: (input: string) => ReturnType<typeof branch>,
  expected: (path: string, input: string) => Expected,
): Expected | undefined {
  const [condition, input] = [addInput(site, BOOL), addInput(site)];
  const good = branch('good', [node('Neg', [input], [`${input}_else`])], `${input}_else`);
  const added = node('If', [condition], [`${input}_if`], {
    attribute: [graphAttribute('then_branch', make(input)), graphAttribute('else_branch', good)],
  });
  return expected(`${addNode(site, added)}.attribute.then_branch.g`, input);
}

/** Faults that leave others out of sight, or change where they are. */
export const FAULTS_ALONE: Readonly<Record<string, Fault>> = {
  'no IR version': ({ model }) => {
    model.irVersion = 0;
    return { code: 'MISSING', path: 'ir_version' };
  },
  'an IR version to come': ({ model }) => {
    model.irVersion = 15;
    return { code: 'VERSION', path: 'ir_version' };
  },
  'no graph': ({ model }) => {
    model.graph = null;
    return { code: 'MISSING', path: 'graph' };
  },
  'a graph without a name': (site) => {
    const { it, path } = site.random.pick(graphsOf(site));
    it.name = '';
    return { code: 'MISSING', path: `${path}.name` };
  },
  'no imports': ({ model }) => {
    model.opsetImport = [];
    return toNumber(model.irVersion) < 3 ? undefined : { code: 'MISSING', path: 'opset_import' };
  },
  'an opset of version 0': ({ model }) => {
    const [first] = model.opsetImport;
    if (!first) return undefined;
    first.version = 0;
    return { code: 'VERSION', path: 'opset_import[0].version' };
  },
  'an opset to come': ({ model }) => {
    const i = model.opsetImport.findIndex(({ domain }) => domain === '');
    const found = model.opsetImport[i];
    if (!found) return undefined;
    found.version = 99;
    return { code: 'VERSION', severity: 'warning', path: `opset_import[${i}].version` };
  },
  'a domain imported twice': ({ model }) => {
    const [first] = model.opsetImport;
    if (!first) return undefined;
    const count = model.opsetImport.push(new OperatorSetIdProto({ domain: first.domain, version: first.version }));
    return { code: 'DUPLICATE', severity: 'warning', path: `opset_import[${count - 1}]` };
  },
  'a domain imported in two versions': ({ model }) => {
    const [first] = model.opsetImport;
    if (!first) return undefined;
    const version = toNumber(first.version) + 1;
    const count = model.opsetImport.push(new OperatorSetIdProto({ domain: first.domain, version }));
    return { code: 'DUPLICATE', path: `opset_import[${count - 1}]` };
  },
  'two nodes in the wrong order': ({ model: { graph }, random }) => {
    const nodes = graph?.node ?? [];
    const pairs = nodes.flatMap((first, i) => {
      const next = nodes[i + 1];
      const at = next?.input.findIndex((name) => name !== '' && first.output.includes(name)) ?? -1;
      return next && at >= 0 ? [{ i, at, first, next }] : [];
    });
    if (pairs.length === 0) return undefined;
    const { i, at, first, next } = random.pick(pairs);
    [nodes[i], nodes[i + 1]] = [next, first];
    return { code: 'NOT_SORTED', path: `graph.node[${i}].input[${at}]`, value: next.input[at] as string, node: next };
  },
  'an initializer that is no input, before IR version 4': ({ model }) => {
    const count = model.graph?.initializer.push(tensor('fault_free', INT64, [1], [1])) ?? 0;
    model.irVersion = 3;
    return { code: 'UNDEFINED', path: `graph.initializer[${count - 1}]`, value: 'fault_free' };
  },
  'functions before IR version 8': ({ model }) => {
    model.functions.push(definition('early', [node('Relu', ['a'], ['b'])]));
    model.irVersion = 7;
    return { code: 'FEATURE', severity: 'warning', path: 'functions' };
  },
  'a function under another meaning of its operators': ({ model }) => {
    if (!hasOpset({ model } as Site, 14)) return undefined;
    const inner = node('Relu', ['a'], ['b']);
    const path = `functions[${model.functions.push(definition('old', [inner])) - 1}].node[0].op_type`;
    return { code: 'VERSION', path, node: inner };
  },
  'a function defined twice': ({ model }) => {
    const made = definition('twice', [node('Relu', ['a'], ['b'])]);
    model.functions.push(made);
    return { code: 'DUPLICATE', path: `functions[${model.functions.push(made) - 1}]`, value: 'twice' };
  },
  'functions that call each other': ({ model }) => {
    const call = (name: string) => [node(name, ['a'], ['b'], { domain: 'fault' })];
    const first = model.functions.push(definition('ping', call('pong'))) - 1;
    model.functions.push(definition('pong', call('ping')));
    return { code: 'RECURSION', path: `functions[${first}]`, value: 'ping' };
  },
  'a call with too many inputs': (site) => {
    const { model } = site;
    if (toNumber(model.irVersion) < 8) return undefined;
    model.functions.push(definition('one', [node('Relu', ['a'], ['b'])]));
    model.opsetImport.push(new OperatorSetIdProto({ domain: 'fault', version: 1 }));
    const input = addInput(site);
    const added = node('one', [input, input], ['fault_call'], { domain: 'fault' });
    return { code: 'ARITY', path: `${addNode(site, added)}.input`, node: added };
  },
};
