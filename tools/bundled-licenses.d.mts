/** One text of all licenses, each once, for the paths of bundled files and of binaries. */
export function bundledLicenses(inputs: readonly string[], binaries: readonly string[]): string;
