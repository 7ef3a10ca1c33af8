import type { Model, ModelProto, NodeProto } from 'sardonyx/model';
import { nodeId, type Outline, ValueFlag } from '../../graph/outline.js';
import type { SearchIndex } from '../contracts/search-index.js';
import { attributeText } from './attribute-text.js';
import { Strings } from './columns.js';
import { graphAt } from './graph-at.js';
import { stepsOf } from './graph-steps.js';
import { trainingOf } from './training.js';

const [NODE, VALUE, WEIGHT] = [0, 1, 2];

/** Paths of all graphs: the main graph, functions and training graphs, each followed by its subgraphs. */
export function graphPaths(proto: ModelProto): string[] {
  const functions = proto.functions.map(({ domain, name }) => `function/${domain}:${name}`);
  const roots = ['', ...functions, ...trainingOf(proto).map(({ path }) => path)];
  return roots.flatMap((root) => [root, ...below(proto, root)]);
}

const below = (proto: ModelProto, path: string): string[] =>
  graphAt(proto, path).node.flatMap(({ attribute }, i) =>
    attribute.flatMap(stepsOf).flatMap(([step]) => {
      const inner = `${nodeId(path, i)}/${step}`;
      return [inner, ...below(proto, inner)];
    }),
  );

/** Rows of all graphs. Inferred types take precedence over those in the outlines. */
export function searchIndexOf(
  { proto }: Model,
  outlineAt: (path: string) => Outline,
  typesAt: (path: string) => readonly string[] | undefined,
): SearchIndex {
  const graphs = graphPaths(proto);
  const strings = new Strings();
  const columns = { kind: [], graph: [], subject: [], name: [], operator: [], type: [], attributes: [] };
  const rows: { readonly [K in keyof typeof columns]: number[] } = columns;
  const add = (kind: number, graph: number, subject: number, texts: readonly [string, string, string, string]) => {
    const [name, operator, type, attributes] = texts.map((text) => strings.index(text)) as [
      number,
      number,
      number,
      number,
    ];
    for (const [column, value] of Object.entries({ kind, graph, subject, name, operator, type, attributes }))
      rows[column as keyof typeof rows].push(value);
  };
  graphs.forEach((path, graph) => {
    const { nodes, values, strings: texts } = outlineAt(path);
    const types = typesAt(path);
    const protos = graphAt(proto, path).node;
    for (let i = 0; i < nodes.count; i++) {
      const { name, opType } = protos[i] as NodeProto;
      add(NODE, graph, i, [name, opType, '', linesOf(protos[i] as NodeProto)]);
    }
    for (let i = 0; i < values.count; i++) {
      const isWeight = (values.flags[i] as number) & (ValueFlag.initializer | ValueFlag.constant);
      const type = types?.[i] || texts[values.type[i] as number] || '';
      add(isWeight ? WEIGHT : VALUE, graph, i, [texts[values.name[i] as number] ?? '', '', type, '']);
    }
  });
  const column = (of: keyof typeof rows) => Int32Array.from(rows[of]);
  return {
    graphs,
    strings: strings.all,
    kind: Uint8Array.from(rows.kind),
    graph: column('graph'),
    subject: column('subject'),
    name: column('name'),
    operator: column('operator'),
    type: column('type'),
    attributes: column('attributes'),
  };
}

const linesOf = ({ attribute }: NodeProto): string =>
  attribute.map((each) => `${each.name}=${attributeText(each)}`).join('\n');
