import type { AttributeProto, FunctionProto, ModelProto, OperatorSetIdProto } from '../../../build/onnx.js';
import { fromInteger } from '../int64.js';
import { annotate } from './annotations.js';
import { parseAttribute } from './parse-attributes.js';
import { each, nodesInto, parseGraph, valueInfo } from './parse-graphs.js';
import { entries } from './parse-tensors.js';
import { isTypeNext } from './parse-types.js';
import type { Scanner } from './scanner.js';

type Opset = OperatorSetIdProto.$Properties;

/** Parsers of the values in a header, by key. */
type Keys<T> = Readonly<Record<string, (scanner: Scanner) => T>>;

const MODEL_KEYS: Keys<ModelProto.$Properties> = {
  ir_version: (scanner) => ({ irVersion: fromInteger(scanner.integer('a version')) }),
  opset_import: (scanner) => ({ opsetImport: opsets(scanner) }),
  producer_name: (scanner) => ({ producerName: scanner.string('a name') }),
  producer_version: (scanner) => ({ producerVersion: scanner.string('a version') }),
  domain: (scanner) => ({ domain: scanner.string('a domain') }),
  model_version: (scanner) => ({ modelVersion: fromInteger(scanner.integer('a version')) }),
  doc_string: (scanner) => ({ docString: scanner.string('a text') }),
  metadata_props(scanner) {
    scanner.expect('[', 'before the metadata');
    return { metadataProps: entries(scanner) };
  },
};

const FUNCTION_KEYS: Keys<FunctionProto.$Properties> = {
  opset_import: (scanner) => ({ opsetImport: opsets(scanner) }),
  doc_string: (scanner) => ({ docString: scanner.string('a text') }),
  domain: (scanner) => ({ domain: scanner.string('a domain') }),
  overload: (scanner) => ({ overload: scanner.string('a name') }),
};

/** `<ir_version: 8, opset_import: ["": 20]>` */
export const parseModelHeader = (scanner: Scanner): ModelProto.$Properties =>
  annotate(scanner, header(scanner, MODEL_KEYS));

/** Parses a header, a graph and functions. */
export function parseModelText(scanner: Scanner): ModelProto.$Properties {
  const model = parseModelHeader(scanner);
  model.graph = parseGraph(scanner);
  model.functions = [];
  annotate(scanner, model);
  while (!scanner.isAtEnd) {
    model.functions.push(parseFunctionText(scanner));
    annotate(scanner, model);
  }
  return model;
}

/** `<domain: "d", opset_import: ["": 20]> name <alpha, beta: float = 1> (x, float[N] y) => (z) <types> { nodes }` */
export function parseFunctionText(scanner: Scanner): FunctionProto.$Properties {
  const head = header(scanner, FUNCTION_KEYS);
  const name = scanner.name('the name of a function');
  const result: FunctionProto.$Properties = { ...head, name, attribute: [], attributeProto: [], valueInfo: [] };
  if (scanner.takes('<')) each(scanner, '>', () => attributeOf(scanner, result));
  result.input = parameters(scanner, result, 'inputs');
  scanner.expect('=>', 'after the inputs of a function');
  result.output = parameters(scanner, result, 'outputs');
  if (scanner.takes('<')) each(scanner, '>', () => result.valueInfo?.push(annotate(scanner, valueInfo(scanner))));
  return nodesInto(scanner, result);
}

function header<T extends object>(scanner: Scanner, keys: Keys<T>): T {
  const found = {} as T;
  if (!scanner.takes('<')) return found;
  do {
    const key = scanner.peekIdentifier();
    const value = keys[key];
    if (!value) throw scanner.refusal(`one of ${Object.keys(keys).join(', ')}`);
    scanner.optionalIdentifier();
    scanner.expect(':', `after ${key}`);
    Object.assign(found, value(scanner));
  } while (scanner.takes(','));
  scanner.expect('>', 'at the end of the header');
  return found;
}

function opsets(scanner: Scanner): Opset[] {
  scanner.expect('[', 'before the operator sets');
  return each(scanner, ']', () => {
    const domain = scanner.string('a domain');
    scanner.expect(':', 'after the domain');
    return { domain, version: fromInteger(scanner.integer('a version')) };
  });
}

/** Parses an attribute of a function: a name, optionally with a default. */
function attributeOf(scanner: Scanner, { attribute, attributeProto }: FunctionProto.$Properties): void {
  const name = scanner.name('the name of an attribute');
  if (!/[:=]/.test(scanner.peek())) attribute?.push(name);
  else attributeProto?.push(parseAttribute(scanner, name, parseGraph) as AttributeProto);
}

/** Parses names with optional types. */
function parameters(scanner: Scanner, { valueInfo: types }: FunctionProto.$Properties, what: string): string[] {
  scanner.expect('(', `before the ${what} of a function`);
  return each(scanner, ')', () => {
    if (!isTypeNext(scanner)) return scanner.name('the name of a value');
    const value = valueInfo(scanner);
    types?.push(value);
    return value.name as string;
  });
}
