import { FunctionProto, ModelProto, type OperatorSetIdProto } from '../../../build/onnx.js';
import { toBigInt } from '../int64.js';
import { quotable, quoted } from './names.js';
import { notesOf, unsaid } from './notes.js';
import { parseFunctionText, parseModelHeader } from './parse-models.js';
import { printAttribute, printGraph, printNodes, printValueInfo } from './print-nodes.js';
import { printEntries } from './print-tensors.js';
import { INDENT, type Style } from './style.js';

type Model = ModelProto.$Properties;
type Opset = OperatorSetIdProto.$Properties;
type FunctionMessage = FunctionProto.$Properties;

const opsets = (imports: readonly Opset[] | null | undefined, separator: string): string =>
  `[${(imports ?? []).map(({ domain, version }) => `${quoted(domain ?? '')} : ${toBigInt(version ?? 0)}`).join(separator)}]`;

export function printModel(model: Model, style: Style): string {
  const header = modelHeader(model);
  const rest = style.lossless
    ? notesOf(unsaid(ModelProto, parseModelHeader, header, { ...model, graph: null, functions: [] }))
    : '';
  const functions = (model.functions ?? []).map((item) => `\n${printFunction(item, style)}`);
  const missing = style.lossless && !model.graph ? `\n${notesOf(['graph: null'])}` : '';
  return `${header}${rest}${printGraph(model.graph ?? {}, style)}${missing}${functions.join('')}`;
}

function modelHeader(model: Model): string {
  const has = (field: keyof Model) => Object.hasOwn(model, field);
  const lines = [
    `ir_version: ${toBigInt(model.irVersion ?? 0)}`,
    `opset_import: ${opsets(model.opsetImport, ', ')}`,
    has('producerName') && `producer_name: ${quoted(model.producerName ?? '')}`,
    has('producerVersion') && `producer_version: ${quoted(model.producerVersion ?? '')}`,
    has('domain') && `domain: ${quoted(model.domain ?? '')}`,
    has('modelVersion') && `model_version: ${toBigInt(model.modelVersion ?? 0)}`,
    has('docString') && `doc_string: ${quoted(model.docString ?? '')}`,
    model.metadataProps?.length && `metadata_props: ${printEntries(model.metadataProps)}`,
  ];
  return `<\n${lines
    .filter(Boolean)
    .map((line) => `   ${line}`)
    .join(',\n')}\n>\n`;
}

export function printFunction(item: FunctionMessage, style: Style): string {
  const head = functionHead(item, style);
  const rest = style.lossless ? unsaid(FunctionProto, parseFunctionText, `${head}{}`, { ...item, node: [] }) : [];
  return head + printNodes(item.node ?? [], rest, { ...style, indent: INDENT });
}

function functionHead(item: FunctionMessage, style: Style): string {
  const lines = [
    `domain: ${quoted(item.domain ?? '')}`,
    item.overload && `overload: ${quoted(item.overload)}`,
    style.lossless && item.docString && `doc_string: ${quoted(item.docString)}`,
    `opset_import: ${opsets(item.opsetImport, ',')}`,
  ];
  const names = (list: readonly string[] | null | undefined) => `(${(list ?? []).map(quotable).join(', ')})`;
  const header = `<\n${lines
    .filter(Boolean)
    .map((line) => `  ${line}`)
    .join(',\n')}\n>\n`;
  return `${header}${quotable(item.name ?? '')} ${attributes(item, style)}${names(item.input)} => ${names(item.output)}\n${types(item, style)}`;
}

/** ONNX does not print attributes with defaults. */
function attributes({ attribute, attributeProto }: FunctionMessage, style: Style): string {
  const defaults = style.lossless ? (attributeProto ?? []) : [];
  const all = [...(attribute ?? []).map(quotable), ...defaults.map((item) => printAttribute(item, style))];
  return all.length ? `<${all.join(',')}>` : '';
}

/** ONNX does not print types of values. */
function types({ valueInfo }: FunctionMessage, style: Style): string {
  if (!style.lossless || !valueInfo?.length) return '';
  return `<${valueInfo.map((value) => printValueInfo(value, style)).join(', ')}>\n`;
}
