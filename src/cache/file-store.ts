/** Where a cache keeps its files: small texts, which appear whole or not at all, and files that are appended to. */
export interface FileStore {
  /** Tells shelves apart that may hold other things. */
  readonly place: string;
  readText(name: string): Promise<string | undefined>;
  writeText(name: string, text: string): Promise<void>;
  names(): Promise<string[]>;
  /** Removes a text or a file; nothing happens where there is none. */
  remove(name: string): Promise<void>;
  /** Bytes of a file; 0 where there is none. */
  size(name: string): Promise<number>;
  /** Opens a file for more bytes at its end, making it if need be. */
  append(name: string): Promise<Appender>;
  /** The contents of a file: its path, or a response. */
  open(name: string, bytes: number): Promise<string | Response>;
}

export interface Appender {
  /** Bytes that are safe. */
  readonly length: number;
  write(bytes: Uint8Array): Promise<void>;
  /** Lays down what was written; needed also after a failure. */
  close(): Promise<void>;
}
