export type OnProgress = (loadedBytes: number, totalBytes: number) => void;

export async function download(url: string, onProgress: OnProgress): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`${response.status} ${response.statusText} for ${url}`);
  const total = Number(response.headers.get('content-length'));
  let loaded = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        loaded += chunk.length;
        onProgress(loaded, Math.max(loaded, total));
        controller.enqueue(chunk);
      },
    }),
  );
  return new Uint8Array(await new Response(counted).arrayBuffer());
}
