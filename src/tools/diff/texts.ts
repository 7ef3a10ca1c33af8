import type { AttributeProto, NodeProto, TensorProto, ValueInfoProto } from '../../../build/onnx.js';
import { printAttribute } from '../../model/text/print-nodes.js';
import { printType } from '../../model/text/print-types.js';
import { styleOf } from '../../model/text/style.js';

/** Formats parts of a model for changes. */

const STYLE = styleOf({ limit: 8 });

export const typeText = ({ type }: ValueInfoProto): string => (type ? printType(type, STYLE) : '');

export const tensorText = ({ dataType, dims }: TensorProto): string =>
  printType({ tensorType: { elemType: dataType, shape: { dim: dims.map((dimValue) => ({ dimValue })) } } }, STYLE);

export const attributeText = (attribute: AttributeProto): string =>
  attribute.g || attribute.graphs.length > 0 ? 'graph' : printAttribute(attribute, STYLE);

export const labelOf = ({ opType, name, output }: NodeProto): string =>
  `${opType} "${name || output.find(Boolean) || ''}"`;

export const nodeText = ({ domain, opType, input, output }: NodeProto): string =>
  `${output.join(', ')} = ${domain ? `${domain}.` : ''}${opType}(${input.join(', ')})`;

/** The names of a node and its outputs. */
export const namesText = ({ name, output }: NodeProto): string =>
  [...(name ? [`[${name}]`] : []), output.join(', ')].join(' ');
