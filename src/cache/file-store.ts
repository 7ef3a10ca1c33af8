/** The storage of a cache: small texts, written atomically, and files that are appended to. */
export interface FileStore {
  /** Identifies the location, because stores at different ones may hold different files. */
  readonly place: string;
  readText(name: string): Promise<string | undefined>;
  writeText(name: string, text: string): Promise<void>;
  names(): Promise<string[]>;
  /** Removes a text or file, if it exists. */
  remove(name: string): Promise<void>;
  /** Size of a file in bytes; 0 if it does not exist. */
  size(name: string): Promise<number>;
  /** Opens a file to append bytes; creates it if necessary. */
  append(name: string): Promise<Appender>;
  /** The contents of a file: its path, or a response. */
  open(name: string, bytes: number): Promise<string | Response>;
}

export interface Appender {
  /** Bytes that are stored safely. */
  readonly length: number;
  write(bytes: Uint8Array): Promise<void>;
  /** Flushes written bytes; also required after a failure. */
  close(): Promise<void>;
}
