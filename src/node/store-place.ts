/** Where a store's file is, and how patiently it is used. */
export interface StorePlace {
  /** As messages name it. */
  readonly name: string;
  /** With symbolic links followed. */
  readonly path: string;
  /** How long a call waits for other programs that use the file, in milliseconds. */
  readonly lockTimeoutMs: number;
}
