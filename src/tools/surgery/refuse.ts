import type { GraphProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import type { Model } from '../../model/document/model.js';
import { type Body, bodiesIn, definedIn } from './bodies.js';

export const refused = (message: string): SardonyxError => new SardonyxError('INVALID_ARGUMENT', message);

export const quoted = (names: Iterable<string>): string => [...names].map((name) => JSON.stringify(name)).join(', ');

export function graphOf({ proto: { graph } }: Model): GraphProto {
  if (graph) return graph;
  throw new SardonyxError('INVALID_MODEL', 'the model has no graph');
}

export function refuseRepeated(names: readonly string[], what: string): void {
  const repeated = new Set(names.filter((name, i) => names.indexOf(name) !== i));
  if (repeated.size > 0) throw refused(`${what}: duplicate names ${quoted(repeated)}`);
}

/** The error for an unknown value. It lists similar names, or reports that the value is in a subgraph. */
export function unknownValue(name: string, body: Body): SardonyxError {
  const isInside = [...bodiesIn(body)].some((inner) => definedIn(inner).has(name));
  if (isInside) return refused(`"${name}" is a value of a subgraph; only values of the main graph are supported`);
  const like = [...definedIn(body)].filter((other) => other.toLowerCase().includes(name.toLowerCase())).slice(0, 3);
  const known = like.length > 0 ? like : outputsAndInputs(body);
  return refused(`the graph has no value "${name}"; it has ${quoted(known)} …`);
}

const outputsAndInputs = (body: Body): string[] => [...definedIn(body)].slice(0, 5);
