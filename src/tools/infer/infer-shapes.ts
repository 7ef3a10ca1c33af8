import type { ModelProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import type { Model } from '../../model/document/model.js';
import { InvalidModelError } from '../check/invalid-model-error.js';
import type { Issue } from '../check/issue.js';
import { withProto } from '../model-of.js';
import { runtimeView } from '../runtime-view.js';
import { inferModel } from './infer-model.js';
import { symbolsIn, withSizes } from './types-in.js';
import { withTypes } from './write-types.js';

export interface InferOptions {
  /**
   * Whether what contradicts the model or its operators' rules is an error; else it is left open. What ONNX's strict inference does
   * not look at, though a run refuses it, is a warning in either case.
   */
  readonly strict?: boolean;
  /** Whether the contents of tensors that are shapes are worked out, and so what is reshaped by them; by default they are. */
  readonly dataPropagation?: boolean;
  /** Whether the types of inputs are held to the operators' signatures, and what does not fit is an error: as `strict` by default. */
  readonly checkTypes?: boolean;
  /** Told of what is wrong, and so left open. */
  readonly onIssue?: (issue: Issue) => void;
  /** Numbers for the names of sizes. */
  readonly sizes?: Readonly<Record<string, number>>;
}

/**
 * The model with the types of all its values, as far as they follow from those of its inputs, in `value_info` and outputs.
 * The defaults of inputs are taken for what these are.
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
      throw refuse(
        `the model has no size of the name "${name}"; it has ${[...known].join(', ') || 'none with a name'}`,
      );
    if (!Number.isSafeInteger(size) || size < 0) throw refuse(`the size "${name}" is a whole number, not ${size}`);
  }
  return sizes;
}
