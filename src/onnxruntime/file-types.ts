export type FileUrlOrPath = string;
export type FileBlob = Blob;
export type FileData = Uint8Array | ArrayBufferLike;
export type FileType = FileUrlOrPath | FileBlob | FileData;
export interface ExternalDataFileDescription {
  readonly path: string;
  readonly data: FileType;
}
export type ExternalDataFileType = ExternalDataFileDescription | FileUrlOrPath;
export interface OnnxModelOptions {
  externalData?: readonly ExternalDataFileType[];
}
