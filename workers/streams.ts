import { received, sendable } from './error-transfer.js';

/**
 * Streams over a MessagePort, a piece for each that is asked for: Safari cannot transfer streams, and a stream that is transferred does not
 * hear of it when the worker that reads it ends.
 */

type Answer = { readonly piece: unknown } | { readonly error: unknown } | { readonly done: true };

/** A stream that is being sent. */
export interface SentStream {
  /** To be transferred, for `arrived`. */
  readonly port: MessagePort;
  /** Stops the stream, unless it has been read to its end. */
  end(): void;
}

const { slice } = Object.getPrototypeOf(Int8Array.prototype) as Int8Array;

/** @throws TypeError where another reads the stream */
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

/** A piece may be a view of much more, which is its owner's: what is in sight is copied, once. */
function post(port: MessagePort, answer: Answer): void {
  const isView = 'piece' in answer && ArrayBuffer.isView(answer.piece);
  const piece = isView && slice.call(answer.piece as Int8Array);
  if (piece) port.postMessage({ piece }, [piece.buffer as ArrayBuffer]);
  else port.postMessage(answer);
}

/** What was sent, as it was; a stream for the port of one. */
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
