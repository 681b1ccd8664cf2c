import { FLUSH, pkt } from './pkt-line.ts'
import { isHiddenRef } from '../names.ts'
import { refsInOrder } from '../runner/skeleton.ts'
import type { Snapshot } from '../snapshot.ts'

/** What smart HTTP offers: fetching and pushing. */
export type Service = 'git-upload-pack' | 'git-receive-pack'

const ZERO = '0'.repeat(40)

// As `git upload-pack --stateless-rpc` prints them with the settings of a skeleton.
const UPLOAD_CAPABILITIES =
  'multi_ack thin-pack side-band side-band-64k ofs-delta shallow deepen-since deepen-not deepen-relative ' +
  'no-progress include-tag multi_ack_detailed allow-tip-sha1-in-want allow-reachable-sha1-in-want no-done'
const RECEIVE_CAPABILITIES = 'report-status delete-refs side-band-64k quiet atomic ofs-delta'

/** What is shown to clients of git, in the order git lists it. */
const shownRefs = (snapshot: Snapshot) => refsInOrder(snapshot).filter(({ name }) => !isHiddenRef(name))

const announced = (service: Service) => [pkt(`# service=${service}\n`), FLUSH]

/** The protocol a client asks for in `Git-Protocol` (Documentation/gitprotocol-http.txt): 0, 1 or 2. */
export function protocolOf(header: string | undefined): 0 | 1 | 2 {
  const asked = (header ?? '').split(':').map((key) => /^version=([012])$/.exec(key.trim())?.[1])
  if (asked.includes('2')) return 2
  return asked.includes('1') ? 1 : 0
}

/** Protocol v2's advert, the same for every repo: refs are asked for by `ls-refs`. */
export function capabilityAdvert(agent: string): Buffer {
  const lines = ['version 2', `agent=${agent}`, 'ls-refs=unborn', 'fetch=shallow wait-for-done filter']
  const packets = [...lines, 'server-option', 'object-format=sha1'].map((line) => pkt(`${line}\n`))
  return Buffer.concat([...announced('git-upload-pack'), ...packets, FLUSH])
}

/** The refs as protocols v0 and v1 list them before a fetch: `HEAD` first, tags with what they lead to. */
export function uploadAdvert(snapshot: Snapshot, protocol: 0 | 1, agent: string): Buffer {
  const head = snapshot.findRef(`refs/heads/${snapshot.defaultBranch}`)
  const symref = head ? ` symref=HEAD:${head.name}` : ''
  const lines = head ? [`${head.oid} HEAD`] : []
  for (const { name, oid, commit } of shownRefs(snapshot)) {
    lines.push(`${oid} ${name}`)
    if (commit !== oid) lines.push(`${commit} ${name}^{}`)
  }
  const capabilities = `${UPLOAD_CAPABILITIES}${symref} filter object-format=sha1 agent=${agent}`
  const version = protocol === 1 ? [pkt('version 1\n')] : []
  return Buffer.concat([...announced('git-upload-pack'), ...version, ...listed(lines, capabilities), FLUSH])
}

/** The refs as they are listed before a push, which knows no protocol v2. */
export function receiveAdvert(snapshot: Snapshot, agent: string): Buffer {
  const lines = shownRefs(snapshot).map(({ name, oid }) => `${oid} ${name}`)
  const capabilities = `${RECEIVE_CAPABILITIES} object-format=sha1 agent=${agent}`
  return Buffer.concat([...announced('git-receive-pack'), ...listed(lines, capabilities), FLUSH])
}

/** Capabilities go behind the first line; a repo without refs has a line for them alone. */
function listed(lines: string[], capabilities: string): Buffer[] {
  const [first = `${ZERO} capabilities^{}`, ...others] = lines
  return [`${first}\0${capabilities}`, ...others].map((line) => pkt(`${line}\n`))
}

/** Answers `ls-refs` (Documentation/gitprotocol-v2.txt); `args` are the lines behind the delimiter. */
export function listRefs(snapshot: Snapshot, args: string[]): Buffer {
  const prefixes = args.flatMap((arg) =>
    arg.startsWith('ref-prefix ') ? [arg.slice('ref-prefix '.length)] : [],
  )
  const isWanted = (name: string) =>
    prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix))
  const target = `refs/heads/${snapshot.defaultBranch}`
  const head = snapshot.findRef(target)
  const symref = args.includes('symrefs') ? ` symref-target:${target}` : ''
  const packets: Buffer[] = []
  if (isWanted('HEAD')) {
    if (head) packets.push(pkt(`${head.oid} HEAD${symref}\n`))
    else if (args.includes('unborn')) packets.push(pkt(`unborn HEAD${symref}\n`))
  }
  for (const { name, oid, commit } of shownRefs(snapshot)) {
    if (!isWanted(name)) continue
    const peeled = args.includes('peel') && commit !== oid ? ` peeled:${commit}` : ''
    packets.push(pkt(`${oid} ${name}${peeled}\n`))
  }
  return Buffer.concat([...packets, FLUSH])
}
