// What comes from another hub by way of this server, against the same bytes from that hub: over a line of 1 Gbit/s, as
// hubs are behind one and loopback would compare hashing with nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, startServer } from '../fixtures/server.mjs'
import { ended, givenOwner } from '../mirrors/upstream.mjs'
import { mbps, median, row, run, seconds } from './measure.mjs'
import { lfsFile, textFile, writeFile as writeRandom } from './seed.mjs'

const lineBytes = 125e6
const rounds = 3
/** Of an absent repo. */
const infoRounds = 15
const bigMib = 1024
const files = { count: 100, mib: 50 }
const MiB = 2 ** 20

/** An upstream behind the line, and a server that mirrors it. */
async function startSite() {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const upstream = await startServer({ 'server.public_url': url })
  const line = spawn(process.execPath, [
    fileURLToPath(new URL('line.mjs', import.meta.url)),
    String(port),
    String(upstream.port),
    String(lineBytes),
  ])
  await once(line, 'spawn')
  const server = await startServer({
    'upstreams.near.base_url': url,
    'upstreams.huggingface.enabled': 'false',
    'pull.pull_through.enabled': 'true',
    'pull.pull_through.min_role': 'anonymous',
  })
  const stop = async () => {
    await server.stop()
    line.kill()
    await upstream.stop()
  }
  return { upstream, lineUrl: url, server, stop }
}

/** Makes a repo of large files at the upstream, without the line. */
async function given(owner, name, dir, sizes) {
  const repo = `${owner.username}/${name}`
  await owner.hub.create(repo)
  /** @type {object[]} */
  const lines = [textFile('README.md', '# Bench\n')]
  for (const [path, mib] of Object.entries(sizes)) {
    const file = join(dir, 'upload.bin')
    const oid = await writeRandom(file, mib)
    const { objects } = await owner.hub.batch(repo, [{ oid, size: mib * MiB }])
    const { upload } = objects[0].actions ?? {}
    if (upload) await run('curl', ['-sSf', '-T', file, upload.href])
    lines.push(lfsFile(path, oid, mib * MiB))
    await rm(file)
  }
  await owner.hub.commit(repo, 'files', lines)
  return repo
}

/** Downloads to nowhere; answers the seconds to the first byte and in all, by curl's clock. */
async function get(url) {
  const { stdout } = await run('curl', [
    '-sSfL',
    '-o',
    '/dev/null',
    '-w',
    '%{time_starttransfer} %{time_total}',
    url,
  ])
  const [first, total] = stdout.split(' ').map(Number)
  return { first, total }
}

/** Makes a repo of small files at the upstream. */
async function givenSmall(owner, name) {
  const repo = `${owner.username}/${name}`
  await owner.hub.create(repo)
  const texts = Array.from({ length: 12 }, (_, i) => textFile(`part-${i}.json`, JSON.stringify({ name, i })))
  await owner.hub.commit(repo, 'files', [textFile('README.md', `# ${name}\n`), ...texts])
  return repo
}

/**
 * Info of a repo that is not here, against what it is made of: the info of the upstream, and its commit by real git. Those
 * are measured of another repo of the same kind, so that neither way finds at the upstream what the other has warmed.
 */
async function infoRow({ server, lineUrl }, owner, dir) {
  const all = { info: [], fetch: [], cold: [] }
  for (let i = 0; i < infoRounds; i++) {
    const [theirs, ours] = [
      await givenSmall(owner, `info-${i}`),
      await givenSmall(owner, `info-through-${i}`),
    ]
    const target = join(dir, `info-${i}.git`)
    await run('git', ['init', '-q', '--bare', target])
    all.info.push((await get(`${lineUrl}/api/models/${theirs}`)).total)
    const fetched = ['-C', target, 'fetch', '-q', '--depth', '1', `${lineUrl}/${theirs}`, 'main']
    all.fetch.push(await seconds(() => run('git', fetched)))
    all.cold.push((await get(`${server.url}/api/models/${ours}`)).total)
  }
  const ms = (kind) => `${(1000 * median(all[kind])).toFixed(0)} ms`
  const figure = median(all.cold.map((cold, i) => cold / (all.info[i] + all.fetch[i])))
  const reference = `the upstream ${ms('info')}, and its commit by git ${ms('fetch')}`
  return row('info of an absent repo', ms('cold'), reference, figure, '≤ 1.2 ×', figure <= 1.2)
}

/** Readers have the last byte before the parts of a file are joined, which takes seconds for a GiB. */
async function untilPresent(reader, repo, name) {
  for (;;) {
    const { entries } = await reader.native('GET', `/repos/models/${repo}/tree/main`)
    if (entries.find((entry) => entry.name === name)?.presence === 'present') return
    await pause(100)
  }
}

async function throughRows(site, owner, dir) {
  const { server, lineUrl } = site
  const all = { direct: [], cold: [], plain: [], warm: [] }
  const reader = await server.newPerson('reader')
  for (let i = 0; i < rounds; i++) {
    const repo = await given(owner, `big-${i}`, dir, { 'big.bin': bigMib })
    const path = `${repo}/resolve/main/big.bin`
    // The repo itself is here: the figure is that of a file.
    await run('curl', ['-sSf', '-o', '/dev/null', `${server.url}/api/models/${repo}`])
    all.direct.push(await get(`${lineUrl}/${path}`))
    all.cold.push(await get(`${server.url}/${path}`))
    await untilPresent(reader, repo, 'big.bin')
    all.plain.push(await get(`${site.upstream.url}/${path}`))
    all.warm.push(await get(`${server.url}/${path}`))
  }
  const ratio = (part, one, other) => median(all[one].map((each, i) => each[part] / all[other][i][part]))
  const rate = (kind) => mbps(bigMib * MiB, median(all[kind].map(({ total }) => total)))
  const ms = (kind) => `${(1000 * median(all[kind].map(({ first }) => first))).toFixed(0)} ms`
  const [cold, first, warm] = [
    ratio('total', 'direct', 'cold'),
    ratio('first', 'cold', 'direct'),
    ratio('total', 'plain', 'warm'),
  ]
  return [
    row(
      'cold pull-through of 1 GiB',
      rate('cold'),
      `the upstream ${rate('direct')}`,
      cold,
      '≥ 0.8 ×',
      cold >= 0.8,
    ),
    row(
      'first byte of it',
      ms('cold'),
      `the upstream ${ms('direct')}`,
      first,
      '≤ 1.2 × + 20 ms',
      isSoon(all),
    ),
    row('the same file, warm', rate('warm'), `an own file ${rate('plain')}`, warm, '≥ 0.9 ×', warm >= 0.9),
  ]
}

const isSoon = ({ cold, direct }) => median(cold.map(({ first }, i) => first - 1.2 * direct[i].first)) <= 0.02

async function pullRow({ server, lineUrl }, owner, dir) {
  const sizes = Object.fromEntries(
    Array.from({ length: files.count }, (_, i) => [`part-${i}.bin`, files.mib]),
  )
  const repo = await given(owner, 'many', dir, sizes)
  const list = join(dir, 'list.txt')
  const target = join(dir, 'aria2')
  await writeFile(
    list,
    Object.keys(sizes)
      .map((path) => `${lineUrl}/${repo}/resolve/main/${path}\n`)
      .join(''),
  )
  const flags = ['-q', '-x4', '-j4', '--file-allocation=none', '-d', target, '-i', list]
  const theirs = await seconds(() => run('aria2c', flags))
  await rm(target, { recursive: true })
  const person = await server.newPerson('bench')
  const ours = await seconds(async () => {
    const job = await person.native('POST', '/pulls', { upstream: 'near', type: 'model', repo })
    const { status, problem } = await ended(person, job.id, { minutes: 30 })
    if (status !== 'succeeded') throw new Error(`the pull ${status}: ${JSON.stringify(problem)}`)
  })
  const bytes = files.count * files.mib * MiB
  const figure = theirs / ours
  const reference = `aria2c -x4 -j4 ${mbps(bytes, theirs)}`
  return row(
    `pull of ${files.count} files of ${files.mib} MiB`,
    mbps(bytes, ours),
    reference,
    figure,
    '≥ 0.9 ×',
    figure >= 0.9,
  )
}

/** The rows of mirrors. */
export async function* mirrorRows() {
  const dir = await mkdtemp(join(tmpdir(), 'arsenal-bench-mirrors-'))
  const site = await startSite()
  try {
    const owner = await givenOwner(site.upstream)
    yield await infoRow(site, owner, dir)
    yield* await throughRows(site, owner, dir)
    yield await pullRow(site, owner, dir)
  } finally {
    await site.stop()
    await rm(dir, { recursive: true, force: true })
  }
}
