import { derived, type ByteSource } from '../../../stores/storage/index.ts'
import { isHexOid } from '../objects/oid.ts'
import { band, FLUSH, lineOf, PacketReader, pkt } from './pkt-line.ts'

/*
 * The client's half of git's protocol v2 (Documentation/gitprotocol-v2.txt), for reading another hub. Requests and answers
 * are bytes here; who sends them decides how they travel, so that all of it goes through one guarded way out.
 */

/** The header that asks a server for protocol v2. */
export const PROTOCOL_HEADER = { 'Git-Protocol': 'version=2' }

/** A ref of another server; `peeled` is the commit that an annotated tag leads to. */
export interface RemoteRef {
  name: string
  oid: string
  peeled?: string
  /** Of `HEAD`: the branch it means. */
  target?: string
}

/** What is asked for. Oids are 40-hex. */
export interface FetchWish {
  wants: string[]
  /** Commits that are here, so that what they lead to need not come. */
  haves: string[]
  /** Those among them whose parents are not here. */
  shallow: Iterable<string>
  /** How many commits of the history come; all of it when left out. */
  depth?: number
}

/** What a server sends. */
export interface FetchedPack {
  /** Commits whose parents it left out, and former ones whose parents now come. */
  shallow: string[]
  unshallow: string[]
  /** The pack; may be thin. Throws `RemoteGitError` for what the server reports on the way. */
  pack: ByteSource
}

/** Another git server did not answer as one, or reported a failure. `message` is the server's own text, cut. */
export class RemoteGitError extends Error {
  constructor(message: string) {
    super(message.slice(0, 500))
    this.name = 'RemoteGitError'
  }
}

const DELIMITER = Buffer.from('0001')
const AGENT = 'agent=arsenal\n'
/** As git clients say "the whole history" (builtin/fetch.c: INFINITE_DEPTH). */
const INFINITE_DEPTH = 0x7fffffff
const MAX_REFS = 100_000

/** Whether the answer to `info/refs?service=git-upload-pack` is that of a server of protocol v2. */
export async function speaksProtocol2(answer: ByteSource): Promise<boolean> {
  const packets = new PacketReader(answer)
  try {
    for (let count = 0; count < 3; count++) {
      const packet = await packets.next()
      if (Buffer.isBuffer(packet) && lineOf(packet) === 'version 2') return true
    }
    return false
  } catch {
    return false
  } finally {
    await packets.close()
  }
}

/** The body of `POST git-upload-pack` that lists refs whose names begin with one of `prefixes`. */
export function lsRefsRequest(prefixes: readonly string[]): Buffer {
  const args = ['peel\n', 'symrefs\n', ...prefixes.map((prefix) => `ref-prefix ${prefix}\n`)]
  return Buffer.concat([
    pkt('command=ls-refs\n'),
    pkt(AGENT),
    pkt('object-format=sha1\n'),
    DELIMITER,
    ...args.map((arg) => pkt(arg)),
    FLUSH,
  ])
}

/** Reads the answer to it. Throws `RemoteGitError`. */
export async function readRefs(answer: ByteSource): Promise<RemoteRef[]> {
  const packets = new PacketReader(answer)
  const refs: RemoteRef[] = []
  try {
    for (let packet = await packets.next(); Buffer.isBuffer(packet); packet = await packets.next()) {
      const line = textOf(packet)
      const [oid = '', name = '', ...attributes] = line.split(' ')
      if (!isHexOid(oid) || refs.length === MAX_REFS) continue
      const valueOf = (key: string) =>
        attributes.find((each) => each.startsWith(`${key}:`))?.slice(key.length + 1)
      const [peeled, target] = [valueOf('peeled'), valueOf('symref-target')]
      refs.push({
        name,
        oid,
        ...(peeled !== undefined && isHexOid(peeled) ? { peeled } : {}),
        ...(target === undefined ? {} : { target }),
      })
    }
    return refs
  } finally {
    await packets.close()
  }
}

/** The body of `POST git-upload-pack` that fetches. */
export function fetchRequest({ wants, haves, shallow, depth }: FetchWish): Buffer {
  const known = [...shallow]
  const isDeepening = depth !== undefined || known.length > 0
  const args = [
    'thin-pack\n',
    'no-progress\n',
    'ofs-delta\n',
    ...wants.map((oid) => `want ${oid}\n`),
    ...known.map((oid) => `shallow ${oid}\n`),
    ...(isDeepening ? [`deepen ${depth ?? INFINITE_DEPTH}\n`] : []),
    ...haves.map((oid) => `have ${oid}\n`),
    'done\n',
  ]
  return Buffer.concat([
    pkt('command=fetch\n'),
    pkt(AGENT),
    pkt('object-format=sha1\n'),
    DELIMITER,
    ...args.map((arg) => pkt(arg)),
    FLUSH,
  ])
}

/** Reads the answer to it, up to the pack, which its reader reads to the end. Throws `RemoteGitError`. */
export async function readFetch(answer: ByteSource): Promise<FetchedPack> {
  const packets = new PacketReader(answer)
  const lists = { shallow: [] as string[], unshallow: [] as string[] }
  try {
    for (;;) {
      const packet = await packets.next()
      if (packet === 'end' || packet === 'flush') throw new RemoteGitError('The answer holds no pack.')
      if (packet === 'delimiter') continue
      const line = textOf(packet)
      if (line === 'packfile') break
      const [kind = '', oid = ''] = line.split(' ')
      if ((kind === 'shallow' || kind === 'unshallow') && isHexOid(oid)) lists[kind].push(oid)
    }
  } catch (error) {
    await packets.close()
    throw error
  }
  return { ...lists, pack: derived([answer], () => bandOf(packets)) }
}

async function* bandOf(packets: PacketReader): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const packet = await packets.next()
      if (packet === 'flush') return
      if (!Buffer.isBuffer(packet)) throw new RemoteGitError('The pack ended early.')
      const number = packet[0]
      if (number === band.data) yield packet.subarray(1)
      else if (number !== band.message) throw new RemoteGitError(packet.subarray(1).toString('utf8').trim())
    }
  } finally {
    await packets.close()
  }
}

/** A line of text; a server reports a failure in one that begins with `ERR`. */
function textOf(packet: Buffer): string {
  const line = lineOf(packet)
  if (line.startsWith('ERR ')) throw new RemoteGitError(line.slice('ERR '.length))
  return line
}
