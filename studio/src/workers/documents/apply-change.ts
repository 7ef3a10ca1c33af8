import {
  addOutputs,
  cleanUp,
  convertVersion,
  type EditedGraph,
  type EditedNode,
  edit,
  extractModel,
  type Model,
  type ModelProto,
  removeNodes,
  type Size,
  setDims,
} from 'sardonyx/model';
import { withChanges } from '../../../../src/model/document/changed.js';
import { withProto } from '../../../../src/tools/model-of.js';
import type { Change } from '../contracts/changes.js';
import { attributeOf } from './attribute-values.js';
import { withGraph, withNewGraph, withoutGraph } from './change-graphs.js';
import { withDoc, withField, withGraphName, withInfoAt, withMetadata, withOpset } from './change-notes.js';
import { withElementAt, withNpy } from './change-tensor.js';
import { atStep } from './graph-steps.js';
import { typeOf } from './read-type.js';
import { withNodeAt } from './with-body-at.js';

type Kind = Change['kind'];
type Apply<K extends Kind> = (model: Model, change: Extract<Change, { kind: K }>) => Model | Promise<Model>;

/** Wraps a change of the proto; the rest of the model stays the same. */
const by =
  <C>(change: (model: Model, change: C) => ModelProto | Promise<ModelProto>) =>
  async (model: Model, wanted: C): Promise<Model> =>
    withProto(model, await change(model, wanted));

const CHANGES: { readonly [K in Kind]: Apply<K> } = {
  'rename-node': by(({ proto }, { graph, node, name }) =>
    withNodeAt(proto, graph, node, (before) => withChanges(before, { name })),
  ),
  'delete-node': (model, { graph, node }) =>
    removeNodes(model, (main, functions) => [nodeIn(editedAt(model, graph, main, functions), node)]),
  'set-attribute': by(({ proto }, { graph, node, name, value }) =>
    withNodeAt(proto, graph, node, (before) => {
      const former = before.attribute.find((each) => each.name === name);
      const made = attributeOf(name, value, former);
      const attribute = former
        ? before.attribute.map((each) => (each === former ? made : each))
        : [...before.attribute, made];
      return withChanges(before, { attribute });
    }),
  ),
  'remove-attribute': by(({ proto }, { graph, node, name }) =>
    withNodeAt(proto, graph, node, (before) =>
      withChanges(before, { attribute: before.attribute.filter((each) => each.name !== name) }),
    ),
  ),
  'set-graph': by((model, { graph, file }) => withGraph(model, graph, file)),
  'add-graph': by(withNewGraph),
  'remove-graph': by(({ proto }, { graph }) => withoutGraph(proto, graph)),
  'set-tensor': by((model, { at, npy }) => withNpy(model, at, npy)),
  'set-element': by((model, { at, element, text }) => withElementAt(model, at, element, text)),
  'rename-value': (model, { graph, value, name }) =>
    inGraph(model, graph, (edited) => {
      valueIn(edited, value).name = name;
    }),
  'set-type': by((model, { graph, value, text }) => {
    const type = typeOf(text);
    return withInfoAt(model, graph, value, (info) => withChanges(info, { type }));
  }),
  'add-output': (model, { value }) => addOutputs(model, [value]),
  'remove-output': (model, { value }) =>
    edit(model, ({ outputs }) => {
      const at = outputs.findIndex(({ name }) => name === value);
      if (at < 0) throw new Error(`"${value}" is not an output`);
      if (outputs.length === 1) throw new Error(`"${value}" is the only output. A model needs at least one.`);
      outputs.splice(at, 1);
    }),
  /** Clears the sizes first, since `setDims` refuses to change one number into another. */
  'set-dims': async (model, { value, dims }) => {
    const opened = await setDims(model, { values: { [value]: dims.map(() => '') } });
    return setDims(opened, { values: { [value]: dims.map(sizeOf) } });
  },
  extract: (model, { inputs, outputs }) => extractModel(model, inputs.length > 0 ? inputs : undefined, outputs),
  convert: (model, { opset }) => convertVersion(model, opset),
  'set-opset': by(({ proto }, { graph, domain, version }) => withOpset(proto, graph, domain, version)),
  'set-field': by(({ proto }, { field, text }) => withField(proto, field, text)),
  'rename-graph': by(({ proto }, { graph, name }) => withGraphName(proto, graph, name)),
  'set-doc': by(({ proto }, { on, text }) => withDoc(proto, on, text)),
  'set-metadata': by(({ proto }, { on, key, text }) => withMetadata(proto, on, key, text)),
  'clean-up': (model) => cleanUp(model),
};

/** The model after a change; the same object if nothing changes. */
export const applyChange = async (model: Model, change: Change): Promise<Model> =>
  (CHANGES[change.kind] as Apply<Kind>)(model, change as never);

const sizeOf = (text: string): Size => {
  const size = text.trim();
  return size === '?' ? '' : /^\d+$/.test(size) ? Number(size) : size;
};

const inGraph = (model: Model, path: string, change: (graph: EditedGraph) => void): Promise<Model> =>
  edit(model, (graph, functions) => change(editedAt(model, path, graph, functions)));

/** The editable graph at a path. */
function editedAt(model: Model, path: string, graph: EditedGraph, functions: readonly EditedGraph[]): EditedGraph {
  const steps = path.split('/').filter(Boolean);
  if (steps[0] === 'training') throw new Error('a training graph cannot be changed this way');
  const isFunction = steps[0] === 'function';
  const place = model.proto.functions.findIndex(({ domain, name }) => `${domain}:${name}` === steps[1]);
  let found = isFunction ? functions[place] : graph;
  for (let i = isFunction ? 2 : 0; i < steps.length; i += 2)
    found = atStep(steps[i + 1] as string, (attribute) => found?.nodes[Number(steps[i])]?.subgraphs.get(attribute));
  if (!found) throw new Error(`graph ${path} no longer exists`);
  return found;
}

function nodeIn({ nodes }: EditedGraph, index: number): EditedNode {
  const node = nodes[index];
  if (!node) throw new Error(`node ${index} no longer exists`);
  return node;
}

function valueIn(graph: EditedGraph, name: string) {
  const value = graph.value(name);
  if (!value) throw new Error(`value "${name}" no longer exists`);
  return value;
}
