// Downloads of what lies in a bucket, by redirect and through the service, against the store itself.
import { cpuOf, cpuSeconds, mbps, median, row, run, seconds } from './measure.mjs'
import { helper, nginx } from './processes.mjs'

const gibibyte = 2 ** 30
/** What is downloaded: of less, starting curl would be what is measured. */
export const bigBytes = 2 * gibibyte
/** The same GET of a store takes a third more or less time from one to the next. */
const rounds = 11

const bearer = (token) => (token ? ['-H', `Authorization: Bearer ${token}`] : [])

const fetchBytes = (url, token) => run('curl', ['-sSfL', '-o', '/dev/null', ...bearer(token), url])

/** Turn by turn, in one order and then the other, after one of each that warms up: the seconds of every named GET and what else it answers. */
async function inTurns(gets) {
  const measured = []
  for (let i = 0; i <= rounds; i++) {
    const one = {}
    const turn = Object.entries(gets)
    for (const [name, get] of i % 2 === 0 ? turn : turn.toReversed()) one[name] = await get()
    if (i > 0) measured.push(one)
  }
  return measured
}

function downloadRow(what, leastRatio, measured, note) {
  const figure = median(measured.map(({ theirs, ours }) => theirs / ours))
  const rate = (name) => mbps(bigBytes, median(measured.map((one) => one[name])))
  const reference = `the store itself ${rate('theirs')}`
  const held = figure >= leastRatio
  return { ...row(what, rate('ours'), reference, figure, `≥ ${leastRatio} ×`, held), note }
}

/** A GET that we redirect against one of the same bytes at the store; what it takes more is one short request. */
export async function redirectRow({ ours, theirs, token }) {
  const measured = await inTurns({
    theirs: () => seconds(() => fetchBytes(theirs)),
    ours: () => seconds(() => fetchBytes(ours, token)),
    // By curl's own clock, since starting it takes longer.
    redirect: async () => {
      const told = ['-sSf', '-o', '/dev/null', '-w', '%{time_total}', ...bearer(token), ours]
      return Number((await run('curl', told)).stdout)
    },
  })
  const ms = (name) => (median(measured.map((one) => one[name])) * 1000).toFixed(1)
  const note = [
    `A GET of ${bigBytes / gibibyte} GiB by redirect is the store's own and one request more before it:`,
    `${ms('redirect')} ms, beside ${ms('theirs')} ms for the bytes.`,
  ].join('\n')
  return downloadRow('S3: GET by redirect', 0.98, measured, note)
}

/** nginx that answers each request with the store's object. */
const nginxTo = (address, dir) =>
  nginx(
    dir,
    `location = /bytes { proxy_pass ${address}; proxy_http_version 1.1; proxy_max_temp_file_size 0;
       proxy_buffer_size 256k; proxy_buffers 16 256k; proxy_busy_buffers_size 1m; }`,
  )

/** What `measure` answers of nginx and of the barest proxy that Node makes, which run no longer than it. */
async function besideProxies(theirs, dir, measure) {
  const started = []
  try {
    for (const start of [() => helper('bare-proxy.mjs', theirs), () => nginxTo(theirs, dir)])
      started.push(await start())
    return await measure(...started)
  } finally {
    for (const { child } of started) child.kill()
  }
}

/** A GET through us against one at the store, one through nginx and one through the barest proxy that Node makes. */
export async function proxyRow(server, { ours, theirs, token }, dir) {
  const cpuOfGet = async (pid, get) => {
    const before = cpuSeconds(pid)
    return { seconds: await seconds(get), cpu: ((cpuSeconds(pid) - before) * gibibyte) / bigBytes }
  }
  const getsBeside = (bare, other) => ({
    theirs: () => seconds(() => fetchBytes(theirs)),
    byUs: () => cpuOfGet(server.pid, () => fetchBytes(ours, token)),
    bare: () => cpuOfGet(bare.child.pid, () => fetchBytes(`${bare.url}/bytes`)),
    byNginx: () => seconds(() => fetchBytes(`${other.url}/bytes`)),
    client: () => cpuOf('curl', ['-sSf', '-o', '/dev/null', theirs]),
  })
  const measured = await besideProxies(theirs, dir, (...proxies) => inTurns(getsBeside(...proxies)))
  const cpu = (name) => median(measured.map((one) => one[name].cpu)).toFixed(2)
  const client = ((median(measured.map((one) => one.client)) * gibibyte) / bigBytes).toFixed(2)
  const ratio = (get) => median(measured.map((one) => one.theirs / get(one))).toFixed(2)
  const note = [
    `Of the store in the same run, nginx as a proxy reached ${ratio((one) => one.byNginx)}, and a proxy that is a request of`,
    `\`node:http\` piped into an answer ${ratio((one) => one.bare.seconds)}, by ${cpu('bare')} CPU seconds per GiB;`,
    `Arsenal took ${cpu('byUs')}, curl ${client}.`,
  ].join('\n')
  const flat = measured.map(({ theirs, byUs }) => ({ theirs, ours: byUs.seconds }))
  return downloadRow('S3: GET through the service', 0.7, flat, note)
}
