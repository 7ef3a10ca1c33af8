import { UsageError } from '../usage-error.js';
import { onnxruntime } from './onnxruntime.js';
import type { Peer, PeerOptions } from './peer.js';
import { definitions, otherModel, sardonyxAt } from './sardonyx.js';

type Opener = (text: string, options: PeerOptions) => Peer;

/** The forms of `--with`. */
const PEERS: readonly { readonly form: RegExp; readonly open: Opener }[] = [
  {
    form: /^onnxruntime-(node|web)$/,
    open: onnxruntime,
  },
  {
    form: /^sardonyx(:\w+)?$/,
    open: (text, options) => sardonyxAt(text.slice('sardonyx:'.length), options),
  },
  {
    form: /^reference$/,
    open: definitions,
  },
  {
    form: /\.onnx$/,
    open: otherModel,
  },
];

export function openPeer(text: string, options: PeerOptions): Peer {
  const peer = PEERS.find(({ form }) => form.test(text));
  if (!peer)
    throw new UsageError(
      'expected onnxruntime-node, onnxruntime-web, sardonyx:LEVEL, reference or a model (FILE.onnx)',
    );
  return peer.open(text, options);
}
