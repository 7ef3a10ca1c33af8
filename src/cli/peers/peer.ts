import type { Feeds } from '../../session/feeds.js';
import type { HostValue } from '../../tensor/tensor-value.js';
import { UsageError } from '../usage-error.js';

/** Another way to run a model. */
export interface Peer {
  /** For people, with its version. */
  readonly name: string;
  /** Runs the model, once and then so many times more. */
  run(task: Task): Promise<Trial>;
}

export interface Task {
  readonly model: string | Uint8Array;
  /** Values inside the graph to be given out too, as far as the peer knows them. */
  readonly extraOutputs: readonly string[];
  readonly feeds: Feeds;
  readonly runs: number;
}

export interface Milliseconds {
  readonly create: number;
  readonly first: number;
  readonly median: number;
}

export interface Trial {
  readonly milliseconds: Milliseconds;
  /** Those of the first run. */
  readonly values: Readonly<Record<string, HostValue>>;
}

/** Settings that a peer is given too. */
export interface PeerOptions {
  readonly threads: number;
  readonly folder: string;
}

type Opener = (text: string, options: PeerOptions) => Promise<Peer>;

/** What `--with` may say, and what opens it. */
const PEERS: readonly { readonly says: RegExp; readonly open: Opener }[] = [
  {
    says: /^onnxruntime-(node|web)$/,
    open: async (name, options) => (await import('./onnxruntime.js')).onnxruntime(name, options),
  },
  {
    says: /^sardonyx(:\w+)?$/,
    open: async (text, options) => (await import('./sardonyx.js')).sardonyxAt(text.slice('sardonyx:'.length), options),
  },
  {
    says: /\.onnx$/,
    open: async (path, options) => (await import('./sardonyx.js')).otherModel(path, options),
  },
];

export async function openPeer(text: string, options: PeerOptions): Promise<Peer> {
  const peer = PEERS.find(({ says }) => says.test(text));
  if (!peer)
    throw new UsageError('compare with onnxruntime-node, onnxruntime-web, sardonyx:LEVEL or another model, FILE.onnx');
  return peer.open(text, options);
}
