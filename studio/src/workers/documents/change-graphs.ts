import {
  type AttributeProto,
  convertVersion,
  fromExternalData,
  type GraphProto,
  inlineFunctions,
  loadModel,
  type Model,
  type ModelProto,
  type NodeProto,
} from 'sardonyx/model';
import { AttributeProto as Attribute } from '../../../../build/onnx.js';
import { withChanges } from '../../../../src/model/document/changed.js';
import { bodiesIn } from '../../../../src/tools/surgery/bodies.js';
import type { GraphForm } from '../contracts/changes.js';
import { versionsAt } from './describe-node.js';
import { graphOf } from './graph-at.js';
import { withBodyAt, withNodeAt } from './with-body-at.js';

/** Replaces the graph at a path with that of a model file. */
export async function withGraph(model: Model, path: string, file: Blob): Promise<ModelProto> {
  const graph = await graphOfFile(model, path, file);
  return withBodyAt(model.proto, path, <B>() => graph as B);
}

interface NewGraph {
  readonly graph: string;
  readonly node: number;
  readonly name: string;
  readonly form: GraphForm;
  readonly file: Blob;
}

/** Adds the graph of a model file to a node: as a new attribute, or at the end of a list of graphs. */
export async function withNewGraph(model: Model, { graph: path, node, name, form, file }: NewGraph) {
  if (name === '') throw new Error('enter a name for the attribute');
  const graph = await graphOfFile(model, path, file);
  return withNodeAt(model.proto, path, node, (before) => {
    const former = before.attribute.find((each) => each.name === name);
    const made = ADD[form](name, graph, former);
    const attribute = former
      ? before.attribute.map((each) => (each === former ? made : each))
      : [...before.attribute, made];
    return withChanges(before, { attribute });
  });
}

const { GRAPH, GRAPHS } = Attribute.AttributeType;

type Add = (name: string, graph: GraphProto, former: AttributeProto | undefined) => AttributeProto;

const ADD: Readonly<Record<GraphForm, Add>> = {
  graph: (name, g, former) => {
    if (former) throw new Error(`the node already has an attribute "${name}"`);
    return new Attribute({ name, type: GRAPH, g }) as AttributeProto;
  },
  graphs: (name, graph, former) => {
    if (former && former.type !== GRAPHS) throw new Error(`the attribute "${name}" is not a list of graphs`);
    if (former) return withChanges(former, { graphs: [...former.graphs, graph] });
    return new Attribute({ name, type: GRAPHS, graphs: [graph] }) as AttributeProto;
  },
};

/** Removes the graph at a path from its list. */
export function withoutGraph(proto: ModelProto, path: string): ModelProto {
  const [, around = '', node, step = ''] = /^(?:(.*)\/)?(\d+)\/([^/]+)$/.exec(path) ?? [];
  return withNodeAt(proto, around, Number(node), (before: NodeProto) => {
    const graph = graphOf(before, step);
    if (!graph) throw new Error(`graph ${path} no longer exists`);
    return withChanges(before, {
      attribute: before.attribute.map((each) =>
        each.graphs.includes(graph)
          ? withChanges(each, { graphs: each.graphs.filter((other) => other !== graph) })
          : each,
      ),
    });
  });
}

/** The graph of a model file, with weights embedded and functions inlined, in the opset versions used at a path. */
async function graphOfFile({ proto }: Model, path: string, file: Blob): Promise<GraphProto> {
  const versions = versionsAt(proto, path);
  const given = await inlineFunctions(await fromExternalData(await loadModel(file)));
  const { graph } = (await convertVersion(given, versions.get('') ?? versionsAt(given.proto, '').get('') ?? 1)).proto;
  if (!graph) throw new Error('the file has no graph');
  for (const [domain, version] of versionsAt(given.proto, ''))
    if (domain !== '' && versions.get(domain) !== version && usesDomain(graph, domain))
      throw new Error(
        `the nodes in the file use ${domain} ${version}, but the model imports ${versions.get(domain) ?? 'no version'}; import that version first`,
      );
  return graph;
}

function usesDomain(graph: GraphProto, wanted: string): boolean {
  for (const { node } of bodiesIn(graph)) if (node.some(({ domain }) => domain === wanted)) return true;
  return false;
}
