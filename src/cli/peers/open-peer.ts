import { UsageError } from '../usage-error.js';
import { onnxruntime } from './onnxruntime.js';
import type { Peer, PeerOptions } from './peer.js';
import { definitions, otherModel, sardonyxAt } from './sardonyx.js';

type Opener = (text: string, options: PeerOptions) => Peer;

/** What `--with` may say, and what opens it. */
const PEERS: readonly { readonly says: RegExp; readonly open: Opener }[] = [
  {
    says: /^onnxruntime-(node|web)$/,
    open: onnxruntime,
  },
  {
    says: /^sardonyx(:\w+)?$/,
    open: (text, options) => sardonyxAt(text.slice('sardonyx:'.length), options),
  },
  {
    says: /^reference$/,
    open: definitions,
  },
  {
    says: /\.onnx$/,
    open: otherModel,
  },
];

export function openPeer(text: string, options: PeerOptions): Peer {
  const peer = PEERS.find(({ says }) => says.test(text));
  if (!peer)
    throw new UsageError(
      'compare with onnxruntime-node, onnxruntime-web, sardonyx:LEVEL, reference or another model, FILE.onnx',
    );
  return peer.open(text, options);
}
