// The published form of `sardonyx/model`. It has the exports of ./index.ts, but loads the code of each function on the
// first call. Each function is written out so that bundlers can remove unused ones, which is not possible if calls
// create them.
import { onDemand } from '../base/on-demand.js';
import type * as tools from './index.js';

export { SardonyxError } from '../base/errors.js';
export { readValue } from '../model/read-values.js';
export { InvalidModelError } from './check/invalid-model-error.js';
export { toChromeTrace } from './chrome-trace.js';
export { reportHtml } from './conformance/report-html.js';
export { ConversionError } from './convert/obstacle.js';
export { toCoreML } from './export/coreml/index.js';
export { toTensorFlowJS } from './export/tfjs/index.js';
export { fromExternalData, toExternalData } from './external-data.js';
export { openFolder } from './folder/index.js';
export { generatedFeeds } from './generated-feeds.js';
export { fromTensorFlowJS } from './import/tfjs/index.js';
export { loadModel } from './load-model.js';
export { parseRanges, toCalibrationCache } from './quantize/calibrate/ranges.js';
export { saveModel } from './save-model.js';
export { PASSES as simplifyPasses } from './simplify/pass-names.js';
export { addPrefix } from './surgery/add-prefix.js';
export { cleanUp } from './surgery/clean-up.js';
export { expandOutDim } from './surgery/expand-out-dim.js';
export { mergeModels } from './surgery/merge-models.js';
export { renameValues } from './surgery/rename-values.js';
export { sortNodes } from './surgery/sort-nodes.js';
export { openTensor } from './tensor-reader.js';
export { parseFunction, parseGraph, parseModel, parseNode, toText } from './text.js';
export { TranslationError } from './translation-error.js';
export { isWithin } from './verify/within.js';

/** Loads a part of the toolkit. Hosts without `import()` need it in the same script. */
const part = <T>(name: string, load: () => Promise<T>): Promise<T> =>
  onDemand(name, load, 'bundle sardonyx/model into one script');

const bisecting = () => part('bisect', () => import('./bisect/index.js'));
export const bisectRewrites: typeof tools.bisectRewrites = async (...given) =>
  (await bisecting()).bisectRewrites(...given);

const checking = () => part('check', () => import('./check-document.js'));
export const checkModel: typeof tools.checkModel = async (...given) => (await checking()).checkModel(...given);
export const assertModel: typeof tools.assertModel = async (...given) => (await checking()).assertModel(...given);

const comparing = () => part('compare', () => import('./compare/index.js'));
export const compareModels: typeof tools.compareModels = async (...given) =>
  (await comparing()).compareModels(...given);

const conforming = () => part('conformance', () => import('./conformance/index.js'));
export const conformanceCases: typeof tools.conformanceCases = async (...given) =>
  (await conforming()).conformanceCases(...given);
export const runConformance: typeof tools.runConformance = async (...given) =>
  (await conforming()).runConformance(...given);

const converting = () => part('convert', () => import('./convert/index.js'));
export const convertVersion: typeof tools.convertVersion = async (...given) =>
  (await converting()).convertVersion(...given);

const differing = () => part('diff', () => import('./diff/index.js'));
export const diffModels: typeof tools.diffModels = async (...given) => (await differing()).diffModels(...given);
export const matchModels: typeof tools.matchModels = async (...given) => (await differing()).matchModels(...given);

const halving = () => part('float16', () => import('./float16/index.js'));
export const mixedPrecision: typeof tools.mixedPrecision = async (...given) =>
  (await halving()).mixedPrecision(...given);
export const toFloat16: typeof tools.toFloat16 = async (...given) => (await halving()).toFloat16(...given);

const importing = () => part('import', () => import('./import/index.js'));
export const fromCatBoost: typeof tools.fromCatBoost = async (...given) => (await importing()).fromCatBoost(...given);
export const fromLightGBM: typeof tools.fromLightGBM = async (...given) => (await importing()).fromLightGBM(...given);
export const fromXGBoost: typeof tools.fromXGBoost = async (...given) => (await importing()).fromXGBoost(...given);
export const importFormatOf: typeof tools.importFormatOf = async (...given) =>
  (await importing()).importFormatOf(...given);
export const importWeights: typeof tools.importWeights = async (...given) =>
  (await importing()).importWeights(...given);
export const mergeLora: typeof tools.mergeLora = async (...given) => (await importing()).mergeLora(...given);
export const openWeights: typeof tools.openWeights = async (...given) => (await importing()).openWeights(...given);

const inferring = () => part('infer', () => import('./infer/index.js'));
export const inferShapes: typeof tools.inferShapes = async (...given) => (await inferring()).inferShapes(...given);
export const inferFunctionOutputTypes: typeof tools.inferFunctionOutputTypes = async (...given) =>
  (await inferring()).inferFunctionOutputTypes(...given);

const inspecting = () => part('inspect', () => import('./inspect/index.js'));
export const inspectModel: typeof tools.inspectModel = async (...given) => (await inspecting()).inspectModel(...given);

const quantizing = () => part('quantize', () => import('./quantize/index.js'));
export const calibrate: typeof tools.calibrate = async (...given) => (await quantizing()).calibrate(...given);
export const quantizeDynamic: typeof tools.quantizeDynamic = async (...given) =>
  (await quantizing()).quantizeDynamic(...given);
export const quantizeStatic: typeof tools.quantizeStatic = async (...given) =>
  (await quantizing()).quantizeStatic(...given);
export const quantizeWeights: typeof tools.quantizeWeights = async (...given) =>
  (await quantizing()).quantizeWeights(...given);

const repairing = () => part('repair', () => import('./quantize/repair/index.js'));
export const adaRound: typeof tools.adaRound = async (...given) => (await repairing()).adaRound(...given);
export const correctBias: typeof tools.correctBias = async (...given) => (await repairing()).correctBias(...given);
export const equalize: typeof tools.equalize = async (...given) => (await repairing()).equalize(...given);
export const quantizationError: typeof tools.quantizationError = async (...given) =>
  (await repairing()).quantizationError(...given);
export const quantizeRepaired: typeof tools.quantizeRepaired = async (...given) =>
  (await repairing()).quantizeRepaired(...given);
export const sensitivity: typeof tools.sensitivity = async (...given) => (await repairing()).sensitivity(...given);
export const smooth: typeof tools.smooth = async (...given) => (await repairing()).smooth(...given);

const reducing = () => part('reduce', () => import('./reduce/index.js'));
export const reduceModel: typeof tools.reduceModel = async (...given) => (await reducing()).reduceModel(...given);

const simplifying = () => part('simplify', () => import('./simplify/index.js'));
export const simplify: typeof tools.simplify = async (...given) => (await simplifying()).simplify(...given);

const operating = () => part('surgery', () => import('./surgery/index.js'));
export const addOutputs: typeof tools.addOutputs = async (...given) => (await operating()).addOutputs(...given);
export const deduplicateWeights: typeof tools.deduplicateWeights = async (...given) =>
  (await operating()).deduplicateWeights(...given);
export const edit: typeof tools.edit = async (...given) => (await operating()).edit(...given);
export const extractModel: typeof tools.extractModel = async (...given) => (await operating()).extractModel(...given);
export const foldConstants: typeof tools.foldConstants = async (...given) =>
  (await operating()).foldConstants(...given);
export const inlineFunctions: typeof tools.inlineFunctions = async (...given) =>
  (await operating()).inlineFunctions(...given);
export const removeNodes: typeof tools.removeNodes = async (...given) => (await operating()).removeNodes(...given);
export const replaceSubgraph: typeof tools.replaceSubgraph = async (...given) =>
  (await operating()).replaceSubgraph(...given);
export const restoreWeights: typeof tools.restoreWeights = async (...given) =>
  (await operating()).restoreWeights(...given);
export const setDims: typeof tools.setDims = async (...given) => (await operating()).setDims(...given);
export const stripWeights: typeof tools.stripWeights = async (...given) => (await operating()).stripWeights(...given);

const verifying = () => part('verify', () => import('./verify/index.js'));
export const verifyModels: typeof tools.verifyModels = async (...given) => (await verifying()).verifyModels(...given);
