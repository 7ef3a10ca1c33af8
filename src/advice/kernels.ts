/** The reason why the kernels cannot be loaded, and the setting to change. `setting` is the setting of env.wasm in use, if any. */
export function noKernels(
  reason: string,
  isForbidden: boolean,
  isCloudflare: boolean,
  setting: string | undefined,
): string {
  if (isCloudflare)
    return `the kernels cannot be loaded: ${reason}; Cloudflare does not allow compiling bytes, only importing modules: import kernels from 'sardonyx/sardonyx.simd.wasm'; env.wasm.source = kernels`;
  if (isForbidden)
    return `the kernels cannot be compiled: the content security policy forbids WebAssembly (${reason}); add 'wasm-unsafe-eval' to script-src, for example script-src 'self' 'wasm-unsafe-eval', in the header Content-Security-Policy or the page's <meta>; in an extension, set content_security_policy.extension_pages. You can also pass a compiled module as env.wasm.source`;
  if (setting)
    return `the kernels cannot be loaded: ${reason}; env.wasm.${setting} must point to the files of node_modules/sardonyx/build (env.wasm.source, wasmBinary or wasmPaths)${setting === 'wasmPaths' ? ', and end in "/" if it is a folder' : ''}`;
  return `the kernels cannot be loaded: ${reason}; they are expected next to the package's script: copy node_modules/sardonyx/build/*.wasm to a folder that is served and set env.wasm.wasmPaths or env.wasm.source, or import sardonyx/inline, which includes them`;
}
