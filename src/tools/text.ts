import type { Reader, Writer } from 'protobufjs/minimal.js';
import { FunctionProto, GraphProto, ModelProto, NodeProto } from '../../build/onnx.js';
import { SardonyxError } from '../base/errors.js';
import { decodeExactly } from '../model/document/decode.js';
import { encodeExactly } from '../model/document/encode.js';
import { frozen } from '../model/document/frozen.js';
import type { Model } from '../model/document/model.js';
import { type Delta, deltaOf, patched } from '../model/text/delta.js';
import { parseGraph as graphIn } from '../model/text/parse-graphs.js';
import { parseFunctionText, parseModelText } from '../model/text/parse-models.js';
import { parseNode as nodeIn } from '../model/text/parse-nodes.js';
import { printFunction, printModel } from '../model/text/print-models.js';
import { printGraph, printNode } from '../model/text/print-nodes.js';
import { bytesNow } from '../model/text/print-tensors.js';
import { LOSSLESS, NOTE, Scanner } from '../model/text/scanner.js';
import { type Style, styleOf, type TextOptions } from '../model/text/style.js';
import { modelFrom, modelOf } from './model-of.js';

export type { TextOptions } from '../model/text/style.js';

interface Message<T> {
  encode(message: T, writer: Writer): Writer;
  decode(reader: Reader): T;
}

/** Parses the whole text. */
function read<T>(text: string, parse: (scanner: Scanner) => T): T {
  if (typeof text !== 'string') throw new SardonyxError('INVALID_ARGUMENT', 'text: expected a string');
  const scanner = new Scanner(text);
  const found = parse(scanner);
  if (!scanner.isAtEnd) throw scanner.refusal('end of text');
  return found;
}

const message = <T extends object>(type: Message<T>, text: string, parse: (scanner: Scanner) => object): T =>
  frozen(decodeExactly(type, encodeExactly(type, read(text, parse) as T), 'message'));

/** The comment at the end of a model that records how its file's bytes differ from the canonical encoding. */
const ENCODING = 'encoding';

/**
 * Parses a model in ONNX's text syntax: https://github.com/onnx/onnx/blob/main/docs/Syntax.md
 * @throws SardonyxError INVALID_TEXT with line and column
 */
export function parseModel(text: string): Model {
  const { [ENCODING]: delta, ...proto } = read(text, parseModelText) as ModelProto & { [ENCODING]?: Delta };
  const bytes = encodeExactly(ModelProto, proto as ModelProto);
  return delta ? modelOf(patched(bytes, delta)) : modelFrom(decodeExactly(ModelProto, bytes, 'model'));
}

/**
 * Parses a graph in ONNX's text syntax.
 * @throws SardonyxError INVALID_TEXT with line and column
 */
export const parseGraph = (text: string): GraphProto => message<GraphProto>(GraphProto, text, graphIn);

/**
 * Parses a function in ONNX's text syntax.
 * @throws SardonyxError INVALID_TEXT with line and column
 */
export const parseFunction = (text: string): FunctionProto =>
  message<FunctionProto>(FunctionProto, text, parseFunctionText);

/**
 * Parses a node in ONNX's text syntax.
 * @throws SardonyxError INVALID_TEXT with line and column
 */
export const parseNode = (text: string): NodeProto =>
  message<NodeProto>(NodeProto, text, (scanner) => nodeIn(scanner, graphIn));

/** A model or a part of one that `toText` prints. */
export type Printable = Model | ModelProto | GraphProto | FunctionProto | NodeProto;

/**
 * Prints a model or a part of it in ONNX's text syntax. The lossless form contains everything and parses to the same
 * bytes.
 * @throws SardonyxError INVALID_ARGUMENT if the value is not a model, graph, function or node
 */
export function toText(printed: Printable, options: TextOptions = {}): string {
  const style = styleOf(options);
  const text = style.lossless ? `${LOSSLESS}\n${textOf(printed, style)}` : textOf(printed, style);
  if (!style.lossless || !isModel(printed) || !printed.original) return text;
  return text + encodingOf(text, bytesNow(printed.original, 'the model'));
}

export const isModel = (value: object): value is Model => 'proto' in value;

function textOf(printed: Printable, style: Style): string {
  if (isModel(printed)) return printModel(printed.proto, style);
  if (printed instanceof ModelProto) return printModel(printed, style);
  if (printed instanceof GraphProto) return printGraph(printed, style);
  if (printed instanceof FunctionProto) return printFunction(printed, style);
  if (printed instanceof NodeProto) return printNode(printed, style);
  throw new SardonyxError('INVALID_ARGUMENT', 'expected a model, graph, function or node');
}

/** Files may use another encoding than protobuf's own writers. This records the difference. */
function encodingOf(text: string, original: Uint8Array): string {
  const canonical = encodeExactly(ModelProto, read(text, parseModelText) as ModelProto);
  const isSame = canonical.length === original.length && canonical.every((byte, i) => byte === original[i]);
  return isSame ? '' : `\n${NOTE} ${ENCODING}: ${JSON.stringify(deltaOf(canonical, original))}\n`;
}
