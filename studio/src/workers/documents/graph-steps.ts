import type { AttributeProto, GraphProto } from 'sardonyx/model';

export const graphsOf = ({ g, graphs }: AttributeProto): readonly GraphProto[] => (g ? [g, ...graphs] : graphs);

/** The graphs of an attribute with the last step of their paths: `body`, or `branches[1]` in a list. */
export function stepsOf(attribute: AttributeProto): (readonly [step: string, graph: GraphProto])[] {
  const { name, graphs } = attribute;
  return graphsOf(attribute).map((graph, i) => [graphs.length > 0 ? `${name}[${i}]` : name, graph]);
}

/** The graph at a path step, given the graphs of each attribute. */
export function atStep<T>(step: string, graphsNamed: (attribute: string) => readonly T[] | undefined): T | undefined {
  const whole = graphsNamed(step);
  if (whole) return whole[0];
  const [, name = '', index] = /^(.*)\[(\d+)\]$/.exec(step) ?? [];
  return graphsNamed(name)?.[Number(index)];
}
