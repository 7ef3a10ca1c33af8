import type { StringStringEntryProto, TensorProto, TypeProto } from '../../../build/onnx.js';
import { bytesOfText } from '../document/odd-strings.js';
import { fromBigInt, fromInteger } from '../int64.js';
import { ELEMENT_NAMES } from './names.js';
import { INT32, type Scanner, UINT64 } from './scanner.js';

type Tensor = TensorProto.$Properties;
type Elements = (scanner: Scanner) => Tensor;

/** Parses elements between commas. */
function list<T>(scanner: Scanner, element: () => T): T[] {
  const elements: T[] = [];
  do elements.push(element());
  while (scanner.takes(','));
  return elements;
}

const floats: Elements = (scanner) => ({ floatData: list(scanner, () => scanner.number('a number')) });
const doubles: Elements = (scanner) => ({ doubleData: list(scanner, () => scanner.number('a number')) });
const int32s: Elements = (scanner) => ({
  int32Data: list(scanner, () => Number(scanner.integer('an integer', INT32))),
});
const int64s: Elements = (scanner) => ({ int64Data: list(scanner, () => fromInteger(scanner.integer('an integer'))) });
const uint64s: Elements = (scanner) => ({
  uint64Data: list(scanner, () => fromBigInt(scanner.integer('an integer', UINT64))),
});
const strings: Elements = (scanner) => ({
  stringData: list(scanner, () => bytesOfText(scanner.string('a string'))),
});

/** Element types whose typed field is not int32_data. float16 and narrower floats are written as their bits. */
const ELEMENTS: Readonly<Record<string, Elements>> = {
  ...{ float: floats, complex64: floats, double: doubles, complex128: doubles },
  ...{ int64: int64s, uint32: uint64s, uint64: uint64s, string: strings },
};

/** Parses a tensor after its type: `{1, 2}`, or the location of its data. */
export function parseTensor(scanner: Scanner, type: TypeProto.$Properties, at: number): Tensor {
  const shape = type.tensorType?.shape;
  const dims = shape?.dim?.map(({ dimValue }) => dimValue) ?? [];
  if (!shape || dims.includes(undefined)) throw scanner.refusal('the type of a tensor whose sizes are numbers', at);
  const elemType = type.tensorType?.elemType ?? 0;
  const head: Tensor = { dataType: elemType, dims: dims as NonNullable<(typeof dims)[number]>[] };
  if (scanner.takes('[')) return { ...head, dataLocation: 1, externalData: entries(scanner) };
  if (!scanner.takes('{')) return head;
  if (scanner.takes('}')) return head;
  const elements = ELEMENTS[ELEMENT_NAMES[elemType] ?? ''] ?? int32s;
  const data = elements(scanner);
  scanner.expect('}', 'after the elements');
  return { ...head, ...data };
}

/** `"key": "value"` pairs up to `]`. */
export function entries(scanner: Scanner): StringStringEntryProto.$Properties[] {
  if (scanner.takes(']')) return [];
  const pairs = list(scanner, () => {
    const key = scanner.string('a key');
    scanner.expect(':', 'after the key');
    return { key, value: scanner.string('a value') };
  });
  scanner.expect(']', 'after the last pair');
  return pairs;
}
