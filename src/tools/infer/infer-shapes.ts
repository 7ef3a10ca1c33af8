import type { ModelProto } from '../../../build/onnx.js';
import { quoted } from '../../advice/near.js';
import { SardonyxError } from '../../base/errors.js';
import type { Model } from '../../model/document/model.js';
import { InvalidModelError } from '../check/invalid-model-error.js';
import type { Issue } from '../check/issue.js';
import { withProto } from '../model-of.js';
import { runtimeView } from '../runtime-view.js';
import { inferModel } from './infer-model.js';
import { symbolsIn, withSizes } from './types-in.js';
import { withTypes } from './write-types.js';

/** Options of `inferShapes`. */
export interface InferOptions {
  /**
   * Whether contradictions with the model or with an operator's rules throw. Otherwise, the affected types stay open.
   * Problems that ONNX's strict inference ignores but that fail at run time are warnings in both cases.
   */
  readonly strict?: boolean;
  /**
   * Whether to compute the contents of shape tensors, which determine the results of Reshape and others. Default: true.
   */
  readonly dataPropagation?: boolean;
  /** Whether input types that an operator does not support are errors. Default: the value of `strict`. */
  readonly checkTypes?: boolean;
  /** Called for each problem. */
  readonly onIssue?: (issue: Issue) => void;
  /** Sizes for dynamic dimensions, by name. */
  readonly sizes?: Readonly<Record<string, number>>;
}

/**
 * Infers the types and shapes of all values of a model and returns the model with them in `value_info` and the outputs.
 * Default values of inputs count as their contents.
 * @throws InvalidModelError if `strict` is set and the model has contradictions; SardonyxError INVALID_ARGUMENT for an
 * unknown name in `sizes`
 */
export async function inferShapes(model: Model, options: InferOptions = {}): Promise<Model> {
  const { strict = false, dataPropagation, checkTypes = strict, sizes } = options;
  const sized = sizes ? withProto(model, withSizes(model.proto, checkedSizes(model.proto, sizes))) : model;
  const inferred = await inferModel(await runtimeView(sized), { dataPropagation, checkTypes });
  const errors = inferred.issues.filter(({ severity }) => severity === 'error');
  const [first, ...others] = strict ? errors : checkTypes ? errors.filter(isOfSignature) : [];
  if (first) throw new InvalidModelError(inferred.issues, [first, ...others]);
  for (const issue of inferred.issues) options.onIssue?.(issue);
  return withProto(model, withTypes(sized.proto, inferred));
}

const isOfSignature = ({ code }: Issue): boolean => code === 'UNKNOWN_OPERATOR' || code === 'TYPE_MISMATCH';

function checkedSizes(
  { graph }: ModelProto,
  sizes: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const known = graph ? symbolsIn(graph) : new Set<string>();
  for (const [name, size] of Object.entries(sizes)) {
    const refuse = (complaint: string) => new SardonyxError('INVALID_ARGUMENT', complaint);
    if (!known.has(name))
      throw refuse(`the model has no dynamic dimension "${name}"; it has ${quoted(known) || 'no named dimensions'}`);
    if (!Number.isSafeInteger(size) || size < 0)
      throw refuse(`dimension "${name}": expected a non-negative integer, got ${size}`);
  }
  return sizes;
}
