import type { NodeProto } from 'sardonyx/model';
import { rowOf } from '../../graph/neighbors.js';
import { type Outline, ValueFlag } from '../../graph/outline.js';
import type { Shown } from '../../graph/shown.js';
import { attributeKind, attributeText } from './attribute-text.js';

const MOST = { attributes: 4, weights: 3 };

/** The text below each node's operator, separated by line breaks. */
export const nodeLines = (outline: Outline, nodes: readonly NodeProto[], shown: Shown): string[] =>
  nodes.map((node, i) =>
    [
      ...(shown.names && node.name ? [node.name] : []),
      ...(shown.attributes ? attributesOf(node) : []),
      ...(shown.weights ? weightsOf(outline, i) : []),
    ].join('\n'),
  );

const attributesOf = ({ attribute }: NodeProto): string[] =>
  attribute
    .filter((each) => !/tensor|graph/.test(attributeKind(each)))
    .slice(0, MOST.attributes)
    .map((each) => `${each.name} = ${attributeText(each).split('\n')[0]}`);

/** `weight 64×3×7×7`: the last part of the name, without the module's. */
function weightsOf({ nodes, values, strings }: Outline, node: number): string[] {
  const constants = [...rowOf(nodes.inputs, node)].filter(
    (value) => value >= 0 && ((values.flags[value] as number) & (ValueFlag.initializer | ValueFlag.constant)) !== 0,
  );
  return constants.slice(0, MOST.weights).map((value) => {
    const name = (strings[values.name[value] as number] as string).split(/[./]/).at(-1);
    const dims = /\[(.*)\]/.exec(strings[values.type[value] as number] as string)?.[1];
    return `${name}${dims === undefined ? '' : ` ${dims.replaceAll(', ', '×') || 'scalar'}`}`;
  });
}
