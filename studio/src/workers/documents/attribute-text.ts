import type { AttributeProto } from 'sardonyx/model';
import { type Int64, toBigInt } from '../../../../src/model/int64.js';
import { graphsOf } from './graph-steps.js';
import { typeText } from './type-text.js';

/** https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, AttributeProto.AttributeType */
const KINDS = [
  'undefined',
  'float',
  'int',
  'string',
  'tensor',
  'graph',
  'floats',
  'ints',
  'strings',
  'tensors',
  'graphs',
  'sparse_tensor',
  'sparse_tensors',
  'type_proto',
  'type_protos',
];

export const attributeKind = ({ type }: AttributeProto): string => KINDS[type] ?? `type ${type}`;

/** Maximum number of list entries shown; the rest are counted. */
const SHOWN = 256;

const utf8 = new TextDecoder();

/** A float32 with the fewest digits (at least 6) that identify it. */
export function floatText(value: number): string {
  for (let digits = 6; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === Math.fround(value)) return `${text}`;
  }
  return `${value}`;
}

/** An attribute's value as text, such as `3, 3`: graphs by name, '' for tensors. */
export function attributeText(attribute: AttributeProto): string {
  if (attribute.refAttrName) return `@${attribute.refAttrName}`;
  switch (attributeKind(attribute)) {
    case 'float':
      return floatText(attribute.f);
    case 'int':
      return `${toBigInt(attribute.i as Int64)}`;
    case 'string':
      return utf8.decode(attribute.s);
    case 'floats':
      return listText(attribute.floats, floatText);
    case 'ints':
      return listText(attribute.ints, (each) => `${toBigInt(each as Int64)}`);
    case 'strings':
      return listText(attribute.strings, (bytes) => utf8.decode(bytes));
    case 'graph':
    case 'graphs':
      return listText(graphsOf(attribute), ({ name }) => name);
    case 'type_proto':
      return typeText(attribute.tp);
    default:
      return '';
  }
}

function listText<T>(list: readonly T[], text: (item: T) => string): string {
  const shown = list.slice(0, SHOWN).map(text).join(', ');
  return list.length > SHOWN ? `${shown}, … ${list.length - SHOWN} more` : shown;
}
