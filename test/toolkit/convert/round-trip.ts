import { basename, dirname } from 'node:path';
import { ModelProto } from '../../../build/onnx.js';
import { encodeExactly } from '../../../src/model/document/encode.js';
import type { Model } from '../../../src/model/document/model.js';
import { toNumber } from '../../../src/model/int64.js';
import { readModel } from '../../../src/model/read-model.js';
import { checkModel } from '../../../src/tools/check/index.js';
import { ConversionError, convertVersion } from '../../../src/tools/convert/index.js';
import { domainOf } from '../../../src/tools/schemas/domains.js';
import { sinceOf } from '../../../src/tools/schemas/schemas.js';
import { failureOf } from '../../conformance/run-case.js';
import { STAGES } from '../../conformance/stages.js';

export interface Journey {
  readonly path: string;
  readonly target: number;
}

export type Outcome =
  | { readonly kind: 'same' }
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }
  | { readonly kind: 'wrong'; readonly what: string };

export const opsetOf = ({ proto }: Model): number =>
  toNumber(proto.opsetImport.find(({ domain }) => domainOf(domain) === '')?.version ?? 1);

/** Opsets at which one of the model's operators changes, and those before them, beside its own. */
export function targetsOf(model: Model): number[] {
  const source = opsetOf(model);
  const nodes = [model.proto.graph, ...model.proto.functions].flatMap((holder) => holder?.node ?? []);
  const since = nodes.filter(({ domain }) => domainOf(domain) === '').flatMap(({ opType }) => sinceOf('', opType));
  const targets = since.flatMap((version) => (version > source ? [version] : [version - 1, version]));
  return [...new Set(targets)].filter((target) => target >= 1 && target !== source).sort((a, b) => a - b);
}

/** Converts a backend model to an opset and back, and runs all three. */
export async function outcomeOf(model: Model, path: string, target: number): Promise<Outcome> {
  try {
    const there = await convertVersion(model, target);
    const wrong = (await wrongIn(there, path)) ?? (await backFrom(there, model, path));
    return wrong ? { kind: 'wrong', what: wrong } : { kind: 'same' };
  } catch (thrown) {
    if (!(thrown instanceof ConversionError)) throw thrown;
    return { kind: 'refused', reasons: thrown.obstacles.map(({ operator, reason }) => `${operator}: ${reason}`) };
  }
}

async function backFrom(there: Model, model: Model, path: string): Promise<string | undefined> {
  try {
    const wrong = await wrongIn(await convertVersion(there, opsetOf(model)), path);
    return wrong && `back: ${wrong}`;
  } catch (thrown) {
    if (thrown instanceof ConversionError) return undefined;
    throw thrown;
  }
}

/** What the checker, or a run, says against a model that should give what the case expects. */
export async function wrongIn({ proto }: Model, path: string): Promise<string | undefined> {
  const [issue] = (await checkModel(proto, { full: true })).filter(({ severity }) => severity === 'error');
  if (issue) return `${issue.path}: ${issue.message}`;
  const bytes = encodeExactly(ModelProto, proto);
  const folder = dirname(path);
  return failureOf(
    { name: basename(folder), folder, bytes, model: readModel(bytes), unsupported: [] },
    STAGES.slice(0, 1),
  );
}
