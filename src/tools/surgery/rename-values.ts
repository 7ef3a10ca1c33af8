import type { Model } from '../../model/document/model.js';
import { withProto } from '../model-of.js';
import { bodiesIn } from './bodies.js';
import { valueNames } from './names.js';
import { graphOf, refused, refuseRepeated, unknownValue } from './refuse.js';
import { byTable, renamedModel, renamingAll } from './rename.js';

/**
 * Renames values of a model's graph and subgraphs in all places.
 * @throws SardonyxError INVALID_ARGUMENT if a value does not exist or a new name is already used
 */
export function renameValues(model: Model, names: Readonly<Record<string, string>>): Model {
  const graph = graphOf(model);
  const taken = valueNames(bodiesIn(graph));
  const table = new Map(Object.entries(names));
  refuseRepeated([...table.values()], 'new names');
  for (const [before, after] of table) {
    if (!taken.has(before)) throw unknownValue(before, graph);
    if (!after) throw refused(`the new name of "${before}" is empty`);
    if (taken.has(after) && !table.has(after))
      throw refused(`cannot rename "${before}" to "${after}", which is the name of another value`);
  }
  return withProto(model, renamedModel(model.proto, byTable(table), renamingAll));
}
