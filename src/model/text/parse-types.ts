import type { TensorShapeProto, TypeProto } from '../../../build/onnx.js';
import { fromInteger } from '../int64.js';
import { elementNumber, isTypeName } from './names.js';
import type { Scanner } from './scanner.js';

type Type = TypeProto.$Properties;

export const isTypeNext = (scanner: Scanner): boolean => isTypeName(scanner.peekIdentifier());

export function parseType(scanner: Scanner): Type {
  scanner.skip();
  const { at } = scanner;
  const name = scanner.identifier('a type');
  if (elementNumber(name) > 0) return { tensorType: tensorType(scanner, name) };
  const contents = CONTAINERS[name];
  if (!contents) throw scanner.refusal('a type', at);
  scanner.expect('(', `after ${name}`);
  const type = contents(scanner);
  scanner.expect(')', `at the end of ${name}`);
  return type;
}

/** Parsers of the contents of the parentheses. */
const CONTAINERS: Readonly<Record<string, (scanner: Scanner) => Type>> = {
  seq: (scanner) => ({ sequenceType: { elemType: parseType(scanner) } }),
  optional: (scanner) => ({ optionalType: { elemType: parseType(scanner) } }),
  sparse_tensor: (scanner) => ({ sparseTensorType: tensorType(scanner, elementName(scanner)) }),
  map(scanner) {
    const keyType = elementNumber(elementName(scanner));
    scanner.expect(',', 'after the type of keys');
    return { mapType: { keyType, valueType: parseType(scanner) } };
  },
  opaque(scanner) {
    if (scanner.peek() === ')') return { opaqueType: {} };
    const first = qualified(scanner);
    return { opaqueType: scanner.takes(',') ? { domain: first, name: scanner.identifier('a name') } : { name: first } };
  },
};

function elementName(scanner: Scanner): string {
  const name = scanner.peekIdentifier();
  if (elementNumber(name) === 0) throw scanner.refusal('an element type');
  return scanner.optionalIdentifier();
}

function qualified(scanner: Scanner): string {
  const parts = [scanner.identifier('a name')];
  while (scanner.takes('.')) parts.push(scanner.identifier('a name after "."'));
  return parts.join('.');
}

/** Parses a shape: without brackets rank 0, with `[]` an unknown rank. */
function tensorType(scanner: Scanner, name: string): TypeProto.Tensor.$Properties {
  const elemType = elementNumber(name);
  if (!scanner.takes('[')) return { elemType, shape: {} };
  if (scanner.takes(']')) return { elemType };
  const dim: TensorShapeProto.Dimension.$Properties[] = [];
  do dim.push(dimension(scanner));
  while (scanner.takes(','));
  scanner.expect(']', 'after the sizes');
  return { elemType, shape: { dim } };
}

function dimension(scanner: Scanner): TensorShapeProto.Dimension.$Properties {
  if (scanner.takes('?')) return {};
  const dimParam = scanner.optionalName();
  return dimParam === undefined ? { dimValue: fromInteger(scanner.integer('a size')) } : { dimParam };
}
