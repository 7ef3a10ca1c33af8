import type { ModelProto, TensorProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import { withChanges } from '../../model/document/changed.js';
import type { Model } from '../../model/document/model.js';
import { typesIn } from '../infer/types-of.js';
import { withProto } from '../model-of.js';
import { importing, opsetOf } from '../quantize/nodes.js';
import { eachOf } from '../quantize/progress.js';
import { bodiesOf } from '../surgery/bodies.js';
import { inlineFunctions } from '../surgery/inline/inline-functions.js';
import { freshNames, nodeNames, valueNames } from '../surgery/names.js';
import { sortNodes } from '../surgery/sort-nodes.js';
import { type Draft, draftOf, elementsOf, homeOf, othersOf } from './forms.js';
import { type Kept, keptIn, type Objection } from './kept.js';
import { type ClampedWeight, type Float16Options, type Float16Report, type Settings, settingsOf } from './options.js';
import { peaksOf } from './peaks.js';
import { type Site, type Step, siteOf, sitesIn, stepsIn, type Value } from './sites.js';
import { type Narrowing, narrowingTo } from './types.js';
import { narrowWeight } from './weights.js';
import { type Weights, written } from './write.js';

/** The result of `toFloat16`. */
export interface Float16Model {
  /** The converted model. */
  readonly model: Model;
  /** The nodes that were converted, those that were kept, and the clamped weights. */
  readonly report: Float16Report;
}

/** A model that is prepared for one or several conversions. */
export interface Opened {
  readonly model: Model;
  readonly site: Site;
  readonly settings: Settings;
  readonly narrowing: Narrowing;
  /** Weights that earlier conversions have produced. */
  readonly known: Map<TensorProto, Promise<Narrowed>>;
}

type Narrowed = Awaited<ReturnType<typeof narrowWeight>>;

/**
 * Converts a float32 model to float16 or bfloat16: weights, values, inputs and outputs. A node whose operator does not
 * support the type in the model's opset stays in float32 between Cast nodes; the report lists these nodes with reasons.
 * Functions are inlined.
 * @throws SardonyxError INVALID_ARGUMENT if an option is out of range or the opset is too old, ABORTED
 */
export async function toFloat16(model: Model, options: Float16Options = {}): Promise<Float16Model> {
  const opened = await open(model, settingsOf(options));
  if (!opened) return { model, report: { converted: 0, kept: [], clamped: [] } };
  const objection = await objectionBy(opened);
  return converted(opened, objection);
}

/** The opset of Cast for models that do not import ai.onnx. */
const OPSET_FOR_CASTS = 13;
/** The first opset in which Cast specifies types by numbers. */
const LEAST_OPSET = 6;

export async function open(model: Model, settings: Settings): Promise<Opened | undefined> {
  if (!model.proto.graph) return undefined;
  if (model.proto.trainingInfo.length > 0)
    throw refused('models with training_info cannot be converted; remove training_info first');
  const flat = model.proto.functions.length > 0 ? await inlineFunctions(model) : model;
  const sorted = sortNodes(flat);
  const site = siteOf(sorted.proto, await typesIn(sorted));
  return { model: sorted, site, settings, narrowing: narrowingTo(settings.to, settings.doubles), known: new Map() };
}

const refused = (complaint: string) => new SardonyxError('INVALID_ARGUMENT', complaint);

/** Objects to nodes whose values exceed the range of the type. */
export async function objectionBy({ model, site, settings }: Opened): Promise<Objection> {
  if (!settings.feeds) return () => undefined;
  return peaksOf(model, site, settings.feeds, settings);
}

export async function converted(opened: Opened, objection: Objection): Promise<Float16Model> {
  const { model, site, settings, narrowing } = opened;
  const kept = keptIn(site, settings, narrowing, objection);
  const fresh = freshNames(new Set([...valueNames(bodiesOf(model.proto)), ...nodeNames(bodiesOf(model.proto))]));
  const draft = draftOf({ site, kept, narrowing, keepIO: settings.keepIO === true, fresh });
  const { weights, clamped } = await weightsOf(opened, draft);
  const proto = withChanges(model.proto, { graph: written(draft, weights) });
  const found = proto === model.proto ? proto : withOpset(proto);
  return { model: withProto(model, found), report: { ...countsOf(draft, kept), clamped } };
}

/** Ensures that the model has an opset with Cast. */
function withOpset(proto: ModelProto): ModelProto {
  const opset = opsetOf(proto);
  if (opset > 0 && opset < LEAST_OPSET)
    throw refused(`Cast needs opset ${LEAST_OPSET}, but the model has opset ${opset}; convert the model first`);
  return importing(proto, '', OPSET_FOR_CASTS);
}

async function weightsOf(opened: Opened, draft: Draft): Promise<{ weights: Weights; clamped: ClampedWeight[] }> {
  const { model, settings, known } = opened;
  const weights = new Map<TensorProto, TensorProto>();
  const clamped: ClampedWeight[] = [];
  const work = async ([tensor, name]: readonly [TensorProto, string]) => {
    const made = known.get(tensor) ?? narrowWeight(model, tensor, settings);
    known.set(tensor, made);
    const found = await made;
    weights.set(tensor, found.tensor);
    if (found.above + found.below > 0) clamped.push({ weight: name, above: found.above, below: found.below });
  };
  await eachOf('weights', [...narrowTensors(draft)], ([, name]) => name, settings, work);
  return { weights, clamped };
}

/** The tensors that are needed in half precision, with their names. */
function narrowTensors(draft: Draft): Map<TensorProto, string> {
  const { narrowing, site } = draft;
  const isNarrow = (value: Value | undefined): value is Value =>
    narrowing.of(value) !== undefined &&
    [homeOf(draft, value as Value), ...othersOf(draft, value as Value)].includes(narrowing.to);
  const found = new Map<TensorProto, string>();
  for (const { graph, values, steps } of sitesIn(site)) {
    for (const tensor of graph.initializer) if (isNarrow(values.get(tensor.name))) found.set(tensor, tensor.name);
    for (const {
      node,
      outputs: [value],
    } of steps)
      if (isNarrow(value))
        for (const tensor of [value.constant ?? node.attribute.find(({ name }) => name === 'value')?.t])
          if (tensor) found.set(tensor, value.name);
  }
  return found;
}

function countsOf(draft: Draft, kept: Kept): Pick<Float16Report, 'converted' | 'kept'> {
  const isConverted = (step: Step) => {
    const { inputs, outputs } = elementsOf(draft, step);
    const isNew = (value: Value | undefined, i: number) =>
      draft.narrowing.of(value) && outputs[i] === draft.narrowing.to;
    const isRead = (value: Value | undefined, i: number) =>
      draft.narrowing.of(value) && inputs[i] === draft.narrowing.to;
    return step.outputs.some(isNew) || step.inputs.some(isRead);
  };
  const reasons = [...kept].map(([{ node }, reason]) => ({ node: node.name, operator: node.opType, reason }));
  return { converted: [...stepsIn(draft.site)].filter(isConverted).length, kept: reasons };
}
