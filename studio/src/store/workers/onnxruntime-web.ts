import { releaseProxy, transfer, wrap } from 'comlink';
import { buffersOf } from '../../graph/buffers.js';
import type { ModelFiles } from '../../workers/contracts/documents.js';
import type { PeerService, PeerSettings, PeerValues } from '../../workers/contracts/peer.js';
import { startWorker } from './start-worker.js';

/** onnxruntime-web with a model, in a dedicated worker. */
export interface Peer {
  readonly version: string;
  readonly milliseconds: number;
  /** Transfers the feeds' buffers. */
  run(feeds: PeerValues, wanted?: readonly string[]): Promise<{ milliseconds: number; values: PeerValues }>;
  time(): Promise<number>;
  close(): void;
}

const FOLDER = 'peers/onnxruntime-web/';

/** Whether the page's host also serves onnxruntime-web: `peers/index.json` is a list of names. */
export async function hasOnnxruntime(): Promise<boolean> {
  const response = await fetch('peers/index.json').catch(() => undefined);
  const names: unknown = response?.ok ? await response.json().catch(() => []) : [];
  return Array.isArray(names) && names.includes('onnxruntime-web');
}

export async function openOnnxruntime(files: ModelFiles, settings: PeerSettings): Promise<Peer> {
  const worker = startWorker('onnxruntime-web');
  const service = wrap<PeerService>(worker);
  const close = () => {
    service[releaseProxy]();
    worker.terminate();
  };
  try {
    const opened = await service.open(new URL(FOLDER, document.baseURI).href, files, settings);
    return {
      ...opened,
      run: (feeds, wanted) => service.run(transfer(feeds, buffersOf(feeds)), wanted),
      time: () => service.time(),
      close,
    };
  } catch (error) {
    close();
    throw new Error(`onnxruntime-web: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

export const MISSING =
  'onnxruntime-web is not installed. Run `npm install onnxruntime-web` in the folder where you start the studio. On your own host, copy its dist folder to peers/onnxruntime-web/ and create peers/index.json with ["onnxruntime-web"].';
