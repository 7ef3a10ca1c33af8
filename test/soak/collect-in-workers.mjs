// Preloaded by every thread: collects garbage when the sampler asks for it.
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

if (!isMainThread) {
  const requests = new BroadcastChannel('collect garbage');
  requests.onmessage = () => globalThis.gc();
  requests.unref();
}
