// `sardonyx` in one script, with its kernels and all modules that are otherwise loaded on demand. For hosts that serve no other files, and
// for service workers, which do not support `import()`. One thread, SIMD.
import * as jpeg2000 from 'jpeg2000';
import * as re2js from 're2js';
import { inlineKernels, inlineQuantized } from '../build/inline-kernels.js';
import * as advice from './advice/index.js';
import * as stepTimings from './backends/step-timings.js';
import * as branches from './backends/wasm/branches/index.js';
import * as caching from './backends/wasm/caches/index.js';
import * as guardedSteps from './backends/wasm/execute/guarded-steps.js';
import * as timedSteps from './backends/wasm/execute/timed-steps.js';
import * as halves from './backends/wasm/lower/halves.js';
import * as tracing from './backends/wasm/plan/tracing.js';
import { keepAtHand } from './base/at-hand.js';
import * as providers from './execute/open-providers.js';
import * as groups from './groups/all.js';
import { provideGroups } from './groups/load-groups.js';
import * as png from './image/formats/png.js';
import * as tiff from './image/formats/tiff.js';
import * as fromImage from './image/from-image.js';
import * as imageDataOf from './image/image-data-of.js';
import { env } from './index.js';
import * as limits from './limits/account.js';
import * as externalFiles from './loading/external-files.js';
import * as differentiate from './optimize/differentiate.js';
import * as extraOutputs from './optimize/extra-outputs.js';
import * as halfPrecision from './optimize/half-precision.js';
import * as inlineFunctions from './optimize/inline-functions.js';
import * as integerNetworks from './optimize/integer-networks.js';
import * as overrideSizes from './optimize/override-sizes.js';
import * as subgraphs from './optimize/subgraphs.js';
import * as captures from './session/captures.js';
import * as states from './session/state/index.js';
import * as warmUp from './session/warm-up.js';

export * from './index.js';

const KERNELS: Readonly<Record<string, string>> = { sardonyx: inlineKernels, quantized: inlineQuantized };
const unpacked = new Map<string, Promise<ArrayBuffer>>();

provideGroups(groups);
keepAtHand({
  advice,
  branches,
  caching,
  captures,
  differentiate,
  'external-files': externalFiles,
  'extra-outputs': extraOutputs,
  'from-image': fromImage,
  'guarded-steps': guardedSteps,
  'half-precision': halfPrecision,
  halves,
  'image-data-of': imageDataOf,
  'inline-functions': inlineFunctions,
  'integer-networks': integerNetworks,
  jpeg2000,
  limits,
  'override-sizes': overrideSizes,
  png,
  providers,
  re2js,
  states,
  'step-timings': stepTimings,
  subgraphs,
  tiff,
  'timed-steps': timedSteps,
  tracing,
  'warm-up': warmUp,
});

env.wasm.numThreads = 1;
env.wasm.source = (file) => {
  const packed = KERNELS[file.split('.')[0] as string];
  if (!packed) throw new Error(`${file} is not in sardonyx/inline: give it with env.wasm.source`);
  const bytes = unpacked.get(packed) ?? unpack(packed);
  unpacked.set(packed, bytes);
  return bytes;
};

function unpack(base64: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}
