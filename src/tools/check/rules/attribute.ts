import type { AttributeProto } from '../../../../build/onnx.js';
import type { AttributeValue } from '../../../graph/graph.js';
import { attributeTypeOf } from '../../../model/attribute-types.js';
import { at, type Context, error, fieldName, has, needs, type Rule } from '../context.js';
import { since } from './metadata.js';

/** The field that holds the value of each type. */
export const VALUE_FIELDS: Readonly<Record<AttributeValue['type'], keyof AttributeProto & string>> = {
  float: 'f',
  int: 'i',
  string: 's',
  tensor: 't',
  graph: 'g',
  sparse: 'sparseTensor',
  type: 'tp',
  floats: 'floats',
  ints: 'ints',
  strings: 'strings',
  tensors: 'tensors',
  graphs: 'graphs',
  sparses: 'sparseTensors',
  types: 'typeProtos',
};

const TYPES = Object.keys(VALUE_FIELDS) as AttributeValue['type'][];

/** Types whose default values, 0 and the empty string, may be missing from a file. */
const MAY_BE_ABSENT: readonly AttributeValue['type'][] = ['float', 'int', 'string'];

const TYPES_SINCE: Partial<Record<AttributeValue['type'], number>> = { sparse: 6, sparses: 6, type: 8, types: 8 };

/**
 * The type of an attribute. In models of IR version 1, which may omit it, the field with the value determines the type.
 */
export function typeOf(attribute: AttributeProto): AttributeValue['type'] | undefined {
  return attributeTypeOf(attribute.type) ?? TYPES.find((type) => has(attribute, VALUE_FIELDS[type]));
}

export const ATTRIBUTE_RULES: readonly Rule<AttributeProto>[] = [
  (attribute, c) => needs(attribute, 'name', c),
  type,
  value,
  reference,
];

function type(attribute: AttributeProto, c: Context): void {
  const { type, name } = attribute;
  const known = attributeTypeOf(type);
  if (type !== 0 && !known) error(at(c, 'type'), 'ATTRIBUTE_TYPE', `${type} is not an attribute type`, { value: name });
  else if (!known && c.irVersion >= 2) error(at(c, 'type'), 'MISSING', 'type is missing', { value: name });
  const version = known && TYPES_SINCE[known];
  if (version) since(version, `the attribute type ${known}`, at(c, 'type'));
}

function value(attribute: AttributeProto, c: Context): void {
  const { name } = attribute;
  const known = attributeTypeOf(attribute.type);
  const given = TYPES.filter((type) => has(attribute, VALUE_FIELDS[type]));
  const fields = given.map((type) => fieldName(VALUE_FIELDS[type])).join(' and ');
  if (given.length > 1)
    error(c, 'ATTRIBUTE_VALUE', `the attribute has values in ${fields}`, {
      value: name,
      hint: 'set only one of these fields',
    });
  else if (known && given[0] && given[0] !== known)
    error(
      c,
      'ATTRIBUTE_TYPE',
      `the attribute has the type ${known}, but its value is in ${fields}, which holds ${given[0]}`,
      { value: name },
    );
  else if (known && !given[0] && !known.endsWith('s') && !MAY_BE_ABSENT.includes(known) && !attribute.refAttrName)
    error(c, 'ATTRIBUTE_VALUE', `the attribute has no value in ${fieldName(VALUE_FIELDS[known])}`, { value: name });
  if (attribute.refAttrName && given.length > 0)
    error(
      c,
      'REFERENCE',
      `the attribute has both a value and a reference to the attribute "${attribute.refAttrName}" of the call`,
      {
        value: name,
      },
    );
}

function reference({ refAttrName, name }: AttributeProto, c: Context): void {
  if (!refAttrName || !c.within) return;
  const place = at(c, 'ref_attr_name');
  if (!c.declared)
    error(
      place,
      'REFERENCE',
      `the attribute refers to "${refAttrName}", an attribute of a call, but is not in a function`,
      {
        value: name,
      },
    );
  else if (!c.declared.has(refAttrName))
    error(place, 'REFERENCE', `the attribute refers to "${refAttrName}", which the function does not declare`, {
      value: name,
      hint: `the function declares ${[...c.declared].join(', ') || 'no attributes'}`,
    });
}
