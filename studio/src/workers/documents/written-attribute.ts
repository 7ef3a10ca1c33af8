import type { AttributeProto } from 'sardonyx/model';
import { type Int64, toBigInt } from '../../../../src/model/int64.js';
import { isWritten, type WrittenAttribute, type WrittenKind } from '../contracts/changes.js';
import { attributeKind, floatText } from './attribute-text.js';
import { lineOf } from './lines.js';
import { typeText } from './type-text.js';

const integerText = (value: unknown): string => `${toBigInt(value as Int64)}`;

const TEXTS: Readonly<Record<Exclude<WrittenKind, 'reference'>, (attribute: AttributeProto) => string>> = {
  int: ({ i }) => integerText(i),
  float: ({ f }) => floatText(f),
  string: ({ s }) => (s.length === 0 ? '' : lineOf(s)),
  ints: ({ ints }) => ints.map(integerText).join(', '),
  floats: ({ floats }) => floats.map(floatText).join(', '),
  strings: ({ strings }) => strings.map(lineOf).join('\n'),
  type_proto: ({ tp }) => typeText(tp),
  type_protos: ({ typeProtos }) => typeProtos.map(typeText).join('\n'),
};

/** An attribute's complete text; undefined for tensors and graphs. */
export function writtenAttribute(attribute: AttributeProto): WrittenAttribute | undefined {
  if (attribute.refAttrName) return { kind: 'reference', text: attribute.refAttrName };
  const kind = attributeKind(attribute);
  return isWritten(kind) && kind !== 'reference' ? { kind, text: TEXTS[kind](attribute) } : undefined;
}
