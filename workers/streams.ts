import { received, sendable } from './error-transfer.js';

/**
 * Streams over a MessagePort, one message for each requested piece: Safari cannot transfer streams, and a transferred stream is not
 * notified when the worker that reads it ends.
 */

type Answer = { readonly piece: unknown } | { readonly error: unknown } | { readonly done: true };

/** A stream that is being sent. */
export interface SentStream {
  /** The port to transfer, for `arrived`. */
  readonly port: MessagePort;
  /** Stops the stream, unless it has been read to its end. */
  end(): void;
}

const { slice } = Object.getPrototypeOf(Int8Array.prototype) as Int8Array;

/** @throws TypeError if the stream is locked to a reader */
export function send(stream: ReadableStream<Uint8Array>): SentStream {
  const reader = stream.getReader();
  const { port1, port2 } = new MessageChannel();
  const end = () => {
    port1.close();
    reader.cancel().catch(() => {});
  };
  port1.onmessage = async ({ data }) => {
    if (data === 'end') return end();
    try {
      const { done, value } = await reader.read();
      post(port1, done ? { done } : { piece: value });
    } catch (error) {
      port1.postMessage({ error: sendable(error) });
    }
  };
  return { port: port2, end };
}

/** Posts an answer. A piece may be a view of a larger buffer that its owner still uses: the view is copied, once. */
function post(port: MessagePort, answer: Answer): void {
  const isView = 'piece' in answer && ArrayBuffer.isView(answer.piece);
  const piece = isView && slice.call(answer.piece as Int8Array);
  if (piece) port.postMessage({ piece }, [piece.buffer as ArrayBuffer]);
  else port.postMessage(answer);
}

/** The value that was sent, or a stream if it is the port of one. */
export const arrived = <T>(sent: T | MessagePort): T | ReadableStream<Uint8Array> =>
  sent instanceof MessagePort ? streamFrom(sent) : sent;

function streamFrom(port: MessagePort): ReadableStream<Uint8Array> {
  const end = () => {
    port.postMessage('end');
    port.close();
  };
  return new ReadableStream({
    async pull(controller) {
      const answer = await new Promise<Answer>((resolve) => {
        port.onmessage = ({ data }) => resolve(data);
        port.postMessage('next');
      });
      if ('piece' in answer) return controller.enqueue(answer.piece as Uint8Array);
      if ('error' in answer) controller.error(received(answer.error));
      else controller.close();
      end();
    },
    cancel: end,
  });
}
