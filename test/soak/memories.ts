const living = new Set<WeakRef<WebAssembly.Memory>>();

/** From now on, linear memories made in this thread are watched; they stay garbage where nothing else holds them. */
export function watchMemories(): void {
  WebAssembly.Memory = new Proxy(WebAssembly.Memory, {
    construct(target, [descriptor]: [WebAssembly.MemoryDescriptor]) {
      const memory = new target(descriptor);
      living.add(new WeakRef(memory));
      return memory;
    },
  });
}

/** Bytes of those that are still there. */
export function linearBytes(): number {
  let bytes = 0;
  for (const reference of living) {
    const memory = reference.deref();
    if (memory) bytes += memory.buffer.byteLength;
    else living.delete(reference);
  }
  return bytes;
}
