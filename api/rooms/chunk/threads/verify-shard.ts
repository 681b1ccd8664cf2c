import {
  fileHashOf,
  FormatError,
  hashBytes,
  hashText,
  HashTree,
  RangeHash,
  ShardReader,
} from '../format/index.ts'
import type { DescribedFile } from './messages.ts'
import { Indexes } from './indexes.ts'
import { askedBytes, type Ask } from './asked-bytes.ts'
import { Descriptions, type FileTerms, type XorbChunks } from './descriptions.ts'

/**
 * Checks a shard (chunk-upload.md §9): what is described is validated by the other side before any hash is looked at; then
 * every term must lie in its xorb and have the length and range hash that the sender states, the chunks of each file must
 * add up to its hash, and xorb records must say what is stored. Throws FormatError.
 */
export async function verifyShard(ask: Ask, { totalBytes }: { totalBytes: number }): Promise<undefined> {
  const described = new Descriptions()
  const reader = new ShardReader(totalBytes, described)
  const checker = new Checker(ask)
  for await (const piece of askedBytes(ask, 'next')) {
    reader.push(piece)
    await checker.check(described.take())
  }
  reader.finish()
}

class Checker {
  readonly #ask: Ask
  readonly #indexes: Indexes
  readonly #range = new RangeHash()
  readonly #tree = new HashTree()

  constructor(ask: Ask) {
    this.#ask = ask
    this.#indexes = new Indexes(ask)
  }

  async check({ files, xorbs }: { files: FileTerms[]; xorbs: XorbChunks[] }): Promise<void> {
    if (files.length === 0 && xorbs.length === 0) return
    const named = new Set([...files.flatMap((file) => [...file.xorbs]), ...xorbs.map(({ hash }) => hash)])
    const described: { files: DescribedFile[]; xorbs: string[] } = {
      files: files.map(({ described }) => described),
      xorbs: [...named],
    }
    await this.#ask('validate', described)
    for (const file of files) await this.#checkFile(file)
    for (const xorb of xorbs) await this.#checkXorb(xorb)
  }

  async #checkFile({ described, xorbs, terms }: FileTerms): Promise<void> {
    const { fileHash } = described
    for (let i = 0; i < terms.length; i++) {
      const { xorb, unpacked, start, end } = terms.at(i)
      const hash = xorbs[xorb] ?? ''
      const index = await this.#indexes.of(hash)
      const fault = (check: 'shard-term' | 'range-hash', what: string) =>
        new FormatError(check, `file ${fileHash}, term ${i}: ${what}`)
      if (end > index.n) throw fault('shard-term', `the container ${hash} has ${index.n} chunks, not ${end}`)
      let lengthBytes = 0
      for (let chunk = start; chunk < end; chunk++) {
        const length = index.lengths[chunk] ?? 0
        this.#tree.add(index.hashes.subarray(chunk * hashBytes, (chunk + 1) * hashBytes), length)
        lengthBytes += length
      }
      if (lengthBytes !== unpacked)
        throw fault('shard-term', `its chunks have ${lengthBytes} bytes, not ${unpacked}`)
      this.#range.add(index.hashes.subarray(start * hashBytes, end * hashBytes))
      if (!this.#range.digest().equals(terms.rangeHashAt(i)))
        throw fault('range-hash', 'its range hash is wrong')
    }
    const found = hashText(fileHashOf(this.#tree.root()))
    if (found !== fileHash)
      throw new FormatError('file-hash', `the chunks of file ${fileHash} have the hash ${found}`)
  }

  async #checkXorb({ hash, hashes, lengths }: XorbChunks): Promise<void> {
    const index = await this.#indexes.of(hash)
    const isSame = index.hashes.equals(hashes) && lengths.every((length, i) => length === index.lengths[i])
    if (!isSame)
      throw new FormatError(
        'xorb-record',
        `the chunks of the container ${hash} are not those it was sent with`,
      )
  }
}
