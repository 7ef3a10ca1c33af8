import { expose } from 'comlink';
import { type Feeds, InferenceSession } from 'sardonyx';
import {
  fromExternalData,
  loadModel,
  type Model,
  quantizationError,
  quantizeDynamic,
  quantizeRepaired,
  quantizeWeights,
  saveModel,
} from 'sardonyx/model';
import type { Progress, QuantizeService, Settings } from '../contracts/quantize.js';
import { agreement } from './agreement.js';
import { biasesOf, layersOf } from './layer-errors.js';
import { samplesOf } from './samples.js';

type Watch = { readonly onProgress: (progress: Progress) => void };

const service: QuantizeService = {
  async quantize(files, given, settings, onProgress) {
    const watch: Watch = { onProgress };
    const model = await loadModel(files.model, { externalData: files.beside });
    const floats = await saveModel(await fromExternalData(model));
    const session = await InferenceSession.create(floats);
    const samples = await samplesOf(session.inputMetadata, given);
    const quantized = await made(model, samples, settings, watch);
    const bytes = await saveModel(quantized);
    const outputs = await agreement(session, await InferenceSession.create(bytes), samples, watch);
    const layers = layersOf(await quantizationError(model, quantized, samples, watch), await biasesOf(model));
    const blob = new Blob([bytes as Uint8Array<ArrayBuffer>]);
    return { model: blob, before: floats.length, after: bytes.length, samples: samples.length, outputs, layers };
  },
};

function made(model: Model, samples: Feeds[], settings: Settings, watch: Watch): Promise<Model> {
  const { bits, block, rounding, perChannel, repair, exclude, calibration } = settings;
  if (settings.method === 'weights')
    return quantizeWeights(model, { bits, block, method: rounding, exclude, feeds: samples, ...watch });
  if (settings.method === 'dynamic') return quantizeDynamic(model, { perChannel, exclude, ...watch });
  const options = { method: calibration, perChannel, exclude, repair, ...watch };
  return quantizeRepaired(model, samples, options).then(({ model }) => model);
}

expose(service);
