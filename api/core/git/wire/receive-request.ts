import { Problem } from '../../../platform/problems/index.ts'
import { isHexOid } from '../objects/oid.ts'
import { lineOf, type PacketReader } from './pkt-line.ts'

/** What may come before a pack: the commands, and the edges of a shallow clone. */
export const MAX_COMMANDS_BYTES = 8 * 1024 * 1024
// A shallow clone of a wide history sends a line for each of its edges.
const MAX_SHALLOW_LINES = 100_000
const ZERO = '0'.repeat(40)

/** A change of one ref as a client asks for it. Oids are 40-hex; no `old` makes the ref, no `new` deletes it. */
export interface PushCommand {
  /** Full name as it came, unchecked. */
  ref: string
  old?: string
  new?: string
}

/** What comes before the pack of a push. */
export interface PushRequest {
  commands: PushCommand[]
  /** The client waits for a report. */
  wantsReport: boolean
  hasSideBand: boolean
  isAtomic: boolean
}

const malformed = () => new Problem('invalid-request', { detail: 'The push is not well formed.' })

/**
 * Reads the commands off a push (Documentation/gitprotocol-pack.txt, "Reference Update Request"). None at all is git's
 * way to ask whether it may push, before it sends a body of unknown length. What shallow clients say of their edges
 * is passed over: all history is here.
 */
export async function readPushRequest(reader: PacketReader): Promise<PushRequest> {
  const commands: PushCommand[] = []
  let capabilities: string[] = []
  for (let shallow = 0, bytes = 0; ;) {
    const packet = await reader.next()
    if (packet === 'flush' || packet === 'end') break
    if (packet === 'delimiter') throw malformed()
    bytes += packet.length
    if (bytes > MAX_COMMANDS_BYTES) throw new Problem('body-too-large')
    const [line = '', offered] = lineOf(packet).split('\0')
    if (offered !== undefined && commands.length === 0) capabilities = offered.trim().split(' ')
    if (/^shallow [0-9a-f]{40}$/.test(line)) {
      if (++shallow > MAX_SHALLOW_LINES) throw malformed()
    } else commands.push(commandOf(line))
  }
  return {
    commands,
    wantsReport: capabilities.includes('report-status'),
    hasSideBand: capabilities.includes('side-band-64k'),
    isAtomic: capabilities.includes('atomic'),
  }
}

function commandOf(line: string): PushCommand {
  const [, from = '', to = '', ref = ''] = /^([0-9a-f]{40}) ([0-9a-f]{40}) (refs\/.+)$/.exec(line) ?? []
  if (!isHexOid(from) || !isHexOid(to) || (from === ZERO && to === ZERO)) throw malformed()
  return { ref, ...(from === ZERO ? {} : { old: from }), ...(to === ZERO ? {} : { new: to }) }
}
