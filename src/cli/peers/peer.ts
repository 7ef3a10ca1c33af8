import type { Feeds } from '../../session/feeds.js';
import type { HostValue } from '../../tensor/tensor-value.js';
import { UsageError } from '../usage-error.js';

/** Another way to run a model. */
export interface Peer {
  /** For people, with its version. */
  readonly name: string;
  /** A session that gives out these values of the graph too, as far as it knows them. */
  create(model: string | Uint8Array, extraOutputs: readonly string[]): Promise<PeerSession>;
}

export interface PeerSession {
  run(feeds: Feeds): Promise<Readonly<Record<string, HostValue>>>;
  release(): Promise<void>;
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
