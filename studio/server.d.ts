export interface StudioOptions {
  /** Path of a model, served along with the files beside it. */
  readonly model?: string;
  /** Any that is free by default. */
  readonly port?: number;
  /** Folder of the built page; the package's own by default. */
  readonly page?: string;
  /** Folder of a project whose onnxruntime-web is served beside the page, to be compared with; the working directory by default. */
  readonly peersOf?: string;
}

/** Serves the studio to this machine alone. */
export function serveStudio(options?: StudioOptions): Promise<{ readonly address: string; close(): void }>;
