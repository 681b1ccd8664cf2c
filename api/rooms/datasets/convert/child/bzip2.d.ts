/** The decoder below the stream of `unbzip2-stream`, which reads bits when it needs them. */
declare module 'unbzip2-stream/lib/bzip2.js' {
  type Bits = (count: number | null) => number
  const bzip2: {
    /** Reads the head of a stream: the size of its blocks, 1 to 9. */
    header(bits: Bits): number
    /** Decodes one block by bytes; answers null at the end of the stream. */
    decompress(
      bits: Bits,
      take: (byte: number) => void,
      buffer: Int32Array,
      size: number,
      crc: number,
    ): number | null
  }
  export default bzip2
}

declare module 'unbzip2-stream/lib/bit_iterator.js' {
  export default function bitIterator(
    next: () => Uint8Array,
  ): ((count: number | null) => number) & { bytesRead: number }
}
