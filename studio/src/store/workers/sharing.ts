/** Whether threads can share memory here: WebKitGTK isolates pages, and has no SharedArrayBuffer. */
export const sharesMemory = self.crossOriginIsolated && typeof SharedArrayBuffer !== 'undefined';
