import { sortNodes } from 'sardonyx/model';
import {
  AttributeProto,
  GraphProto,
  ModelProto,
  NodeProto,
  OperatorSetIdProto,
  SparseTensorProto,
  StringStringEntryProto,
  TensorProto,
  TensorShapeProto,
  TypeProto,
  ValueInfoProto,
} from '../../../../../build/onnx.js';
import { modelFrom } from '../../../../../src/tools/model-of.js';
import { type FlatTable, rootTable } from './flat-table.js';
import type { Loaded } from './loaded.js';

/** A model in onnxruntime's own format: https://onnxruntime.ai/docs/performance/model-optimizations/ort-format-models.html */
export function readOrt(bytes: Uint8Array): Loaded {
  const session = rootTable(bytes);
  const model = session.table(1);
  const graph = model?.table(7);
  if (!model || !graph) throw new Error('the ORT file has no graph');
  const proto = new ModelProto({
    irVersion: model.number(0, 'int64'),
    opsetImport: model
      .tables(1)
      .map((each) => new OperatorSetIdProto({ domain: each.text(0), version: each.number(1, 'int64') })),
    producerName: model.text(2),
    producerVersion: model.text(3),
    domain: model.text(4),
    modelVersion: model.number(5, 'int64'),
    docString: model.text(6),
    graph: graphOf(graph, 'graph', model.text(8)),
    metadataProps: model
      .tables(9)
      .map((each) => new StringStringEntryProto({ key: each.text(0), value: each.text(1) })),
  });
  // Fused nodes come after the nodes that read their outputs.
  return { model: sortNodes(modelFrom(proto as never)), format: `ORT ${session.text(0)}`.trim() };
}

/** The file stores no graph names. */
function graphOf(graph: FlatTable, name: string, docString = ''): GraphProto {
  const infos = new Map(graph.tables(1).map((each) => [each.text(0), infoOf(each)]));
  const initializer = graph.tables(0).map(tensorOf);
  const infoNamed = (name: string) => infos.get(name) ?? new ValueInfoProto({ name });
  const [input, output] = [graph.texts(5), graph.texts(6)];
  const others = new Set([...input, ...output, ...initializer.map(({ name }) => name), '']);
  return new GraphProto({
    name,
    docString,
    node: graph.tables(2).map(nodeOf),
    initializer,
    sparseInitializer: graph.tables(7).map(sparseOf),
    input: input.map(infoNamed),
    output: output.map(infoNamed),
    valueInfo: [...infos].filter(([name]) => !others.has(name)).map(([, info]) => info),
  });
}

const nodeOf = (node: FlatTable): NodeProto =>
  new NodeProto({
    name: node.text(0),
    docString: node.text(1),
    domain: node.text(2),
    opType: node.text(5),
    input: node.texts(8),
    output: node.texts(9),
    attribute: node.tables(10).map(attributeOf),
  });

const utf8 = new TextEncoder();

type Values = AttributeProto.$Properties;

/** Reads the value of an attribute, by AttributeProto.AttributeType. */
const VALUES: Readonly<Record<number, (attribute: FlatTable) => Values>> = {
  1: (attribute) => ({ f: attribute.number(3, 'float') }),
  2: (attribute) => ({ i: attribute.number(4, 'int64') }),
  3: (attribute) => ({ s: utf8.encode(attribute.text(5)) }),
  4: (attribute) => ({ t: tensorOf(attribute.table(6) as FlatTable) }),
  5: (attribute) => ({ g: graphOf(attribute.table(7) as FlatTable, attribute.text(0)) }),
  6: (attribute) => ({ floats: attribute.numbers(8, 'float') }),
  7: (attribute) => ({ ints: attribute.numbers(9, 'int64') }),
  8: (attribute) => ({ strings: attribute.texts(10).map((text) => utf8.encode(text)) }),
  9: (attribute) => ({ tensors: attribute.tables(11).map(tensorOf) }),
  10: (attribute) => ({ graphs: attribute.tables(12).map((graph, i) => graphOf(graph, `${attribute.text(0)}_${i}`)) }),
};

function attributeOf(attribute: FlatTable): AttributeProto {
  const [name, docString, type] = [attribute.text(0), attribute.text(1), attribute.number(2, 'int32')];
  return new AttributeProto({ name, docString, type, ...VALUES[type]?.(attribute) });
}

function tensorOf(tensor: FlatTable): TensorProto {
  const texts = tensor.texts(5);
  return new TensorProto({
    name: tensor.text(0),
    docString: tensor.text(1),
    dims: tensor.numbers(2, 'int64'),
    dataType: tensor.number(3, 'int32'),
    ...(texts.length > 0 ? { stringData: texts.map((text) => utf8.encode(text)) } : { rawData: tensor.bytes(4) }),
  });
}

const sparseOf = (sparse: FlatTable): SparseTensorProto => {
  const [values, indices] = [sparse.table(0), sparse.table(1)];
  return new SparseTensorProto({
    ...(values && { values: tensorOf(values) }),
    ...(indices && { indices: tensorOf(indices) }),
    dims: sparse.numbers(2, 'int64'),
  });
};

const infoOf = (info: FlatTable): ValueInfoProto => {
  const type = typeOf(info.table(2));
  return new ValueInfoProto({ name: info.text(0), docString: info.text(1), ...(type && { type }) });
};

const [TENSOR, SEQUENCE, MAP] = [1, 2, 3];

function typeOf(info: FlatTable | undefined): TypeProto | undefined {
  const value = info?.table(2);
  if (!info || !value) return undefined;
  const kind = info.number(1, 'uint8');
  const elemType = value.number(0, 'int32');
  if (kind === TENSOR) {
    const dims = value.table(1);
    return new TypeProto({ tensorType: { elemType, ...(dims && { shape: shapeOf(dims) }) } });
  }
  const inner = typeOf(value.table(kind === MAP ? 1 : 0));
  if (!inner) return undefined;
  if (kind === MAP) return new TypeProto({ mapType: { keyType: elemType, valueType: inner } });
  return kind === SEQUENCE ? new TypeProto({ sequenceType: { elemType: inner } }) : undefined;
}

const [SIZE, NAME] = [1, 2];

const shapeOf = (shape: FlatTable): TensorShapeProto =>
  new TensorShapeProto({
    dim: shape.tables(0).map((dimension) => {
      const value = dimension.table(0);
      const kind = value?.number(0, 'int8');
      if (kind === SIZE) return { dimValue: value?.number(1, 'int64') ?? 0 };
      return kind === NAME ? { dimParam: value?.text(2) ?? '' } : {};
    }),
  });
