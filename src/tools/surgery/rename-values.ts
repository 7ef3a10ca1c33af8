import type { Model } from '../../model/document/model.js';
import { withProto } from '../model-of.js';
import { bodiesIn } from './bodies.js';
import { valueNames } from './names.js';
import { graphOf, refused, refuseRepeated, unknownValue } from './refuse.js';
import { byTable, renamedModel, renamingAll } from './rename.js';

/** The model with other names for values of its graph and subgraphs, wherever these are mentioned. */
export function renameValues(model: Model, names: Readonly<Record<string, string>>): Model {
  const graph = graphOf(model);
  const taken = valueNames(bodiesIn(graph));
  const table = new Map(Object.entries(names));
  refuseRepeated([...table.values()], 'is to be the name of a value');
  for (const [before, after] of table) {
    if (!taken.has(before)) throw unknownValue(before, graph);
    if (!after) throw refused(`"${before}" needs another name than the empty one`);
    if (taken.has(after) && !table.has(after))
      throw refused(`"${before}" cannot be called "${after}": that is another value`);
  }
  return withProto(model, renamedModel(model.proto, byTable(table), renamingAll));
}
