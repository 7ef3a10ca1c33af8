import type { ModelProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import type { ExternalData } from '../../model/external-data.js';
import { inferModel, issueOf } from '../infer/infer-model.js';
import type { Issue } from './issue.js';

/**
 * Reports errors of shape inference. Nodes without inference rules are skipped, and so are nodes with known errors. If
 * a model with known errors cannot be read, nothing is reported.
 */
export async function inferIssues(
  proto: ModelProto,
  known: readonly Issue[],
  externalData?: ExternalData,
): Promise<Issue[]> {
  const errors = known.filter(({ severity }) => severity === 'error');
  const found = await issuesIn(proto, errors.length > 0, externalData);
  return found.filter(({ path }) => !errors.some((error) => isAt(error.path, path)));
}

async function issuesIn(
  proto: ModelProto,
  hasErrors: boolean,
  externalData: ExternalData | undefined,
): Promise<readonly Issue[]> {
  if (!proto.graph) return [];
  try {
    return (await inferModel({ proto, externalData })).issues;
  } catch (thrown) {
    if (!(thrown instanceof SardonyxError)) throw thrown;
    return hasErrors ? [] : [issueOf(thrown, 'graph')];
  }
}

/** Whether a path is that of a node or of a part of it. */
const isAt = (path: string, node: string): boolean => path === node || path.startsWith(`${node}.`);
