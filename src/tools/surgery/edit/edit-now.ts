import type { FunctionProto, GraphProto, ModelProto, TrainingInfoProto } from '../../../../build/onnx.js';
import { changedList, withChanges } from '../../../model/document/changed.js';
import type { Model } from '../../../model/document/model.js';
import { withProto } from '../../model-of.js';
import { bodiesIn, bodiesOf } from '../bodies.js';
import { opsetsOf } from '../inline/opsets.js';
import { freshNames, valueNames } from '../names.js';
import { graphOf } from '../refuse.js';
import type { DeclaredType, EditedGraph } from './graph.js';
import { readBody } from './read.js';
import { writtenBody } from './write.js';

/** A callback of `edit`. It receives the main graph and the functions of the model in file order. */
export type Edit<T> = (graph: EditedGraph, functions: readonly EditedGraph[]) => T;

/** Applies changes that need no data and set no attributes, so that operator schemas are not needed. */
export function editNow(model: Model, change: Edit<void>): Model {
  const session = begin(model, () => undefined);
  change(session.graph, session.functions);
  return session.end();
}

/** Opens a model for changes. `declared` returns the declared types of attributes. */
export function begin(model: Model, declared: DeclaredType) {
  const { proto, files } = model;
  const around = (names: Set<string>, imports: ModelProto['opsetImport']) => ({
    files,
    declared,
    opsets: opsetsOf(imports),
    taken: names,
    fresh: freshNames(names),
  });
  const outside = bodiesOf(withChanges(proto, { functions: [] }));
  const graph = readBody(graphOf(model), around(valueNames(outside), proto.opsetImport));
  const algorithms = proto.trainingInfo.map(
    ({ algorithm }) => algorithm && readBody(algorithm, graph.surroundings, graph),
  );
  const functions = proto.functions.map((definition) =>
    readBody(definition, around(valueNames(bodiesIn(definition)), definition.opsetImport)),
  );
  const end = (): Model => {
    const written = functions.map((body) => writtenBody(body as EditedGraph & { source: FunctionProto }));
    const changed = withChanges(proto, {
      graph: writtenBody(graph as EditedGraph & { source: GraphProto }),
      functions: written.every((body, i) => body === proto.functions[i]) ? proto.functions : written,
      trainingInfo: changedList(proto.trainingInfo, (info) =>
        writtenTraining(info, graph, algorithms[proto.trainingInfo.indexOf(info)]),
      ),
    });
    return withProto(model, changed);
  };
  return { graph, functions, end };
}

/** Writes training information. Bindings refer to constants of the model or values of the algorithm. */
function writtenTraining(
  info: TrainingInfoProto,
  graph: EditedGraph,
  algorithm: EditedGraph | null | undefined,
): TrainingInfoProto {
  const now = (name: string) => (algorithm?.originals.get(name) ?? graph.originals.get(name))?.name ?? name;
  return withChanges(info, {
    ...(algorithm && { algorithm: writtenBody(algorithm as EditedGraph & { source: GraphProto }) }),
    initializationBinding: changedList(info.initializationBinding, (entry) =>
      withChanges(entry, { key: now(entry.key) }),
    ),
    updateBinding: changedList(info.updateBinding, (entry) =>
      withChanges(entry, { key: now(entry.key), value: now(entry.value) }),
    ),
  });
}
