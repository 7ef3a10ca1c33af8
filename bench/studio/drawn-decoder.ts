import { ModelProto } from '../../build/onnx.js';
import type { Drawn } from '../../studio/src/canvas/scene/scene.js';
import { layoutService } from '../../studio/src/layout/service.js';
import { outlineOf } from '../../studio/src/workers/documents/outline-of.js';
import { decoderModel } from './decoder.js';

declare global {
  var decoder: (layers: number) => Drawn;
}

/** A decoder as the studio draws it, with all modules expanded. */
globalThis.decoder = (layers) => {
  const { graph } = ModelProto.decode(decoderModel(layers, 4096).model);
  if (!graph) throw new Error('the decoder has no graph');
  const outline = outlineOf(graph);
  const service = layoutService();
  const modules = service.open(outline);
  const opened = Array.from({ length: modules.count }, (_, module) => module);
  return { outline, modules, picture: service.picture({ opened, direction: 'down', folds: true }), direction: 'down' };
};
