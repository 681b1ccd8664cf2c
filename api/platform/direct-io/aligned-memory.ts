/** What is used of it here; Node's own types leave it to a browser's. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number; shared: true }) => { buffer: SharedArrayBuffer }
}

/** Pages of WebAssembly have 64 KiB (WebAssembly core specification, memory instances). */
const WASM_PAGE_BYTES = 64 * 1024

/**
 * Memory that all threads share and that begins at a page, as O_DIRECT wants it (open(2)); `sizeBytes` is a multiple of 64 KiB.
 * Node gives such memory for WebAssembly alone. `undefined` where it is not to be had.
 */
export function alignedMemory(sizeBytes: number): SharedArrayBuffer | undefined {
  const pages = sizeBytes / WASM_PAGE_BYTES
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }).buffer
  } catch (error) {
    // Each reserves 10 GiB of addresses, which `ulimit -v` may forbid.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
