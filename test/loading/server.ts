import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A server on this machine that answers each path as told. */
export async function serve(handlers: Record<string, Handler>) {
  const requests: { readonly path: string; readonly range?: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] as string;
    requests.push({ path, range: request.headers.range });
    const handler = handlers[path];
    if (handler) return void handler(request, response);
    response.writeHead(404).end('nothing here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url, requests, handlers, close };
}

/** Sends the whole at once. */
export const whole =
  (bytes: Uint8Array, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    void response.writeHead(200, { 'content-length': bytes.length, ...headers }).end(bytes);

/** Sends pieces of so many bytes, each on its own; without a length unless one is given. */
export const inPieces =
  (bytes: Uint8Array, size: number, headers: Record<string, string> = {}): Handler =>
  async (_, response) => {
    response.writeHead(200, headers);
    for (let at = 0; at < bytes.length; at += size) {
      response.write(bytes.subarray(at, at + size));
      await new Promise(setImmediate);
    }
    response.end();
  };

/** Announces all, sends some, and hangs up. */
export const brokenAfter =
  (bytes: Uint8Array, sent: number, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(200, { 'content-length': bytes.length, ...headers });
    response.write(bytes.subarray(0, sent), () => setTimeout(() => response.destroy(), 10));
  };
