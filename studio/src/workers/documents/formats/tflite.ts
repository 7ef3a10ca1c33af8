import {
  AttributeProto,
  GraphProto,
  ModelProto,
  NodeProto,
  OperatorSetIdProto,
  StringStringEntryProto,
  TensorProto,
  TypeProto,
  ValueInfoProto,
} from '../../../../../build/onnx.js';
import { modelFrom } from '../../../../../src/tools/model-of.js';
import { elementName } from '../type-text.js';
import { type FlatTable, type NumberKind, rootTable } from './flat-table.js';
import type { Loaded } from './loaded.js';
import { ENUMERATIONS, OPERATORS, OPTIONS, TYPES } from './tflite-names.js';

const DOMAIN = 'tflite';

/** Parts of the model that its subgraphs refer to. */
interface Context {
  readonly model: FlatTable;
  readonly graphs: readonly FlatTable[];
  readonly buffers: readonly FlatTable[];
  readonly operators: readonly FlatTable[];
}

/** A TensorFlow Lite model as a view-only graph with its original operators. */
export function readTflite(bytes: Uint8Array): Loaded {
  const model = rootTable(bytes);
  const [operators, graphs, buffers] = [model.tables(1), model.tables(2), model.tables(4)];
  const [main] = graphs;
  if (!main) throw new Error('the TensorFlow Lite file has no graph');
  const version = model.number(0, 'uint32');
  const proto = new ModelProto({
    graph: graphOf(main, { model, graphs, buffers, operators }, [main]),
    docString: model.text(3),
    opsetImport: [new OperatorSetIdProto({ domain: DOMAIN, version })],
  });
  return { model: modelFrom(proto as never), format: `TensorFlow Lite ${version}`, isViewOnly: true };
}

/** `within` holds this graph and the enclosing ones, to stop at recursive calls. */
function graphOf(graph: FlatTable, context: Context, within: readonly FlatTable[]): GraphProto {
  const tensors = graph.tables(0);
  const names = namesOf(tensors);
  const name = (index: number) => names[index] ?? '';
  const [inputs, outputs] = [graph.numbers(1, 'int32'), graph.numbers(2, 'int32')];
  const data = tensors.map((tensor) => dataOf(tensor, context));
  const infos = tensors.map((tensor, i) => infoOf(tensor, name(i)));
  return new GraphProto({
    name: graph.text(4),
    node: graph.tables(3).map((operator) => nodeOf(operator, name, context, within)),
    initializer: tensors.flatMap((tensor, i) => {
      const rawData = data[i];
      return rawData
        ? [new TensorProto({ name: name(i), dims: tensor.numbers(0, 'int32'), dataType: typeOf(tensor), rawData })]
        : [];
    }),
    input: inputs.map((index) => infos[index] as ValueInfoProto),
    output: outputs.map((index) => infos[index] as ValueInfoProto),
    valueInfo: infos.filter((_, i) => !inputs.includes(i) && !outputs.includes(i)),
  });
}

/** A unique name for each tensor; files may reuse names. */
function namesOf(tensors: readonly FlatTable[]): string[] {
  const taken = new Set<string>();
  return tensors.map((tensor, i) => {
    const own = tensor.text(3) || `tensor_${i}`;
    const name = taken.has(own) ? `${own} ${i}` : own;
    taken.add(name);
    return name;
  });
}

/** Element type codes are bytes. */
const typeOf = (tensor: FlatTable): number => TYPES[tensor.number(1, 'int8')] ?? 0;

const STRING = 8;

/** The elements of a tensor, from its buffer or from after the tables; undefined if there are none. */
function dataOf(tensor: FlatTable, { model, buffers }: Context): Uint8Array | undefined {
  const buffer = buffers[tensor.number(2, 'uint32')];
  if (!buffer || typeOf(tensor) === STRING) return undefined;
  const [offset, size] = [buffer.number(1, 'int64'), buffer.number(2, 'int64')];
  const bytes = offset > 1 ? model.range(offset, size) : buffer.bytes(0);
  return bytes.length > 0 ? bytes : undefined;
}

function infoOf(tensor: FlatTable, name: string): ValueInfoProto {
  const [shape, signature] = [tensor.numbers(0, 'int32'), tensor.numbers(7, 'int32')];
  const dims = signature.length > 0 ? signature : shape;
  const elemType = typeOf(tensor);
  return new ValueInfoProto({
    name,
    ...(elemType > 0 && {
      type: new TypeProto({
        tensorType: { elemType, shape: { dim: dims.map((dimValue) => (dimValue < 0 ? {} : { dimValue })) } },
      }),
    }),
    metadataProps: quantizationOf(tensor.table(4)),
  });
}

/** Maximum number of scales shown; beyond that, only their count. */
const SHOWN = 8;

function quantizationOf(quantization: FlatTable | undefined): StringStringEntryProto[] {
  const [scales, zeros] = [quantization?.numbers(2, 'float') ?? [], quantization?.numbers(3, 'int64') ?? []];
  if (!quantization || scales.length === 0) return [];
  const listed = (values: readonly number[]) =>
    values.length > SHOWN ? `${values.slice(0, SHOWN).join(', ')}, … ${values.length} in all` : values.join(', ');
  const pairs: [string, string][] = [
    ['scale', listed(scales.map((scale) => Number(scale.toPrecision(7))))],
    ['zero_point', listed(zeros)],
    ...(scales.length > 1 ? [['axis', `${quantization.number(6, 'int32')}`] as [string, string]] : []),
  ];
  return pairs.map(([key, value]) => new StringStringEntryProto({ key, value }));
}

const CUSTOM = 32;

/** Codes above 127 are in a separate field. */
function operatorName(code: FlatTable | undefined): string {
  if (!code) return 'unknown';
  const builtin = Math.max(code.number(0, 'int8'), code.number(3, 'int32'));
  return builtin === CUSTOM ? code.text(1) || 'CUSTOM' : (OPERATORS[builtin] ?? `BUILTIN_${builtin}`);
}

/** Nodes have no names, so the name of the first output determines the module. */
function nodeOf(
  operator: FlatTable,
  name: (index: number) => string,
  context: Context,
  within: readonly FlatTable[],
): NodeProto {
  const output = operator.numbers(2, 'int32').map(name);
  const options = operator.table(4);
  const fields = OPTIONS[operator.number(3, 'uint8')];
  return new NodeProto({
    name: output[0] ?? '',
    domain: DOMAIN,
    opType: operatorName(context.operators[operator.number(0, 'uint32')]),
    input: operator.numbers(1, 'int32').map(name),
    output,
    attribute:
      options && fields ? fields.split(' ').map((field, i) => attributeOf(options, i, field, context, within)) : [],
  });
}

const { FLOAT, GRAPH, INT, INTS, STRING: TEXT } = AttributeProto.AttributeType;
const utf8 = new TextEncoder();

function attributeOf(
  options: FlatTable,
  index: number,
  field: string,
  context: Context,
  within: readonly FlatTable[],
): AttributeProto {
  const [, name = '', kind = '', fallback = '0'] = /^(\w+):(\w+)(?:=(\d+))?$/.exec(field) ?? [];
  const text = (value: string) => new AttributeProto({ name, type: TEXT, s: utf8.encode(value) });
  if (kind === 'ints') return new AttributeProto({ name, type: INTS, ints: options.numbers(index, 'int32') });
  if (kind === 'type') return text(elementName(TYPES[options.number(index, 'int8')] ?? 0));
  if (kind in ENUMERATIONS) {
    const code = options.number(index, 'int8');
    return text(ENUMERATIONS[kind as keyof typeof ENUMERATIONS][code] ?? `${code}`);
  }
  if (kind === 'graph') {
    const graph = context.graphs[options.number(index, 'int32')];
    if (!graph || within.includes(graph)) return text('missing');
    return new AttributeProto({ name, type: GRAPH, g: graphOf(graph, context, [...within, graph]) });
  }
  const value = options.number(index, kind as NumberKind, Number(fallback));
  return kind === 'float'
    ? new AttributeProto({ name, type: FLOAT, f: value })
    : new AttributeProto({ name, type: INT, i: value });
}
