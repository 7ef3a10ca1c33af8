/** Why there are no kernels, and what to set: `setting` of env.wasm says where they are, if one does. */
export function noKernels(
  reason: string,
  isForbidden: boolean,
  isCloudflare: boolean,
  setting: string | undefined,
): string {
  if (isCloudflare)
    return `the kernels cannot be loaded: ${reason}; compiling bytes is forbidden on Cloudflare, which compiles modules that are imported: import kernels from 'sardonyx/sardonyx.simd.wasm'; env.wasm.source = kernels`;
  if (isForbidden)
    return `the kernels cannot be compiled: the content security policy forbids WebAssembly (${reason}); add 'wasm-unsafe-eval' to its script-src, as in script-src 'self' 'wasm-unsafe-eval', in the header Content-Security-Policy or the page's <meta>; an extension says it under content_security_policy.extension_pages. A module that was compiled elsewhere can be given as env.wasm.source`;
  if (setting)
    return `the kernels cannot be loaded: ${reason}; env.wasm.${setting} says where they are: it must lead to the files of node_modules/sardonyx/build (env.wasm.source, wasmBinary or wasmPaths)${setting === 'wasmPaths' ? ', and end in "/" if it is a folder' : ''}`;
  return `the kernels cannot be loaded: ${reason}; they are looked for beside the package's script: copy node_modules/sardonyx/build/*.wasm to where they can be fetched and set env.wasm.wasmPaths or env.wasm.source, or import sardonyx/inline, which has them inside`;
}
