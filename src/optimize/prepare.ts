import type { Graph, Model } from '../graph/graph.js';
import { bindOpsets } from '../model/bind-opsets.js';
import type { SessionOptions } from '../session/options.js';

/** The graph that a session runs: the model's own, rewritten as far as the options allow. */
export function prepare(model: Model, _options: SessionOptions): Graph {
  bindOpsets(model.graph, model.opsets);
  return model.graph;
}
