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
import type { ModelFiles } from '../contracts/documents.js';
import type { Progress, QuantizeService, SampleFiles, Settings } from '../contracts/quantize.js';
import { agreement } from './agreement.js';
import { biasesOf, layersOf } from './layer-errors.js';
import { samplesOf } from './samples.js';

type Watch = { readonly onProgress: (progress: Progress) => void };

const service: QuantizeService = {
  async quantize(files, given, settings, onProgress) {
    const watch: Watch = { onProgress };
    const { model, floats, session, samples } = await opened(files, given);
    const quantized = await made(model, samples, settings, watch);
    const bytes = await saveModel(quantized);
    const outputs = await agreement(session, await InferenceSession.create(bytes), samples, watch);
    const layers = layersOf(await quantizationError(model, quantized, samples, watch), await biasesOf(model));
    const blob = new Blob([bytes as Uint8Array<ArrayBuffer>]);
    return { model: blob, before: floats.length, after: bytes.length, samples: samples.length, outputs, layers };
  },
  async outputErrors(files, given, settings, nodes, onProgress) {
    const { model, session, samples } = await opened(files, given);
    const found: (number | undefined)[] = [];
    for (const [done, node] of nodes.entries()) {
      onProgress({ stage: 'ranking', done, total: nodes.length });
      const quantized = await made(model, samples, settings, { include: [node] });
      found.push(quantized.proto.graph === model.proto.graph ? undefined : await errorOf(quantized, session, samples));
    }
    return found;
  },
};

async function opened(files: ModelFiles, given: SampleFiles) {
  const model = await loadModel(files.model, { externalData: files.beside });
  const floats = await saveModel(await fromExternalData(model));
  const session = await InferenceSession.create(floats);
  return { model, floats, session, samples: await samplesOf(session.inputMetadata, given) };
}

/** The signal-to-noise ratio of the worst output. */
async function errorOf(quantized: Model, exact: InferenceSession, samples: Feeds[]): Promise<number> {
  const session = await InferenceSession.create(await saveModel(quantized));
  const outputs = await agreement(exact, session, samples, { onProgress: () => {} });
  await session.release();
  return Math.min(...outputs.map(({ sqnr }) => sqnr));
}

type More = Partial<Watch> & { readonly include?: readonly string[] };

function made(model: Model, samples: Feeds[], settings: Settings, more: More): Promise<Model> {
  const { bits, block, rounding, perChannel, repair, exclude, calibration } = settings;
  if (settings.method === 'weights')
    return quantizeWeights(model, { bits, block, method: rounding, exclude, feeds: samples, ...more });
  if (settings.method === 'dynamic') return quantizeDynamic(model, { perChannel, exclude, ...more });
  const options = { method: calibration, perChannel, exclude, repair, ...more };
  return quantizeRepaired(model, samples, options).then(({ model }) => model);
}

expose(service);
