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

function downloadRow(what, leastRatio, { figure, ours, theirs }, note) {
  const rate = (taken) => mbps(bigBytes, median(taken))
  const reference = `the store itself ${rate(theirs)}`
  return { ...row(what, rate(ours), reference, figure, `≥ ${leastRatio} ×`, figure >= leastRatio), note }
}

/**
 * A GET that we redirect against one of the same bytes at the store. One and the same GET of a store takes a tenth more or
 * less in the median of so many rounds, which is five times what is asked here. So the figure comes from within the
 * redirected GET, by curl's clock: the time after the last redirect, which is a GET at the store, of the whole time. GETs
 * straight to the store, and again for how far two of the same lie apart, are printed beside it.
 */
export async function redirectRow(title, { ours, theirs, token }) {
  const measured = await inTurns({
    theirs: () => seconds(() => fetchBytes(theirs)),
    ours: () => timesOfRedirected(ours, token),
    again: () => seconds(() => fetchBytes(theirs)),
  })
  const of = (each) => median(measured.map(each))
  const figure = of(({ ours }) => (ours.total - ours.redirect) / ours.total)
  const note = [
    `${title}: a GET of ${bigBytes / gibibyte} GiB by redirect is the store's own and one request more before it: in the median`,
    `${(of(({ ours }) => ours.redirect) * 1000).toFixed(1)} ms of ${(of(({ ours }) => ours.total) * 1000).toFixed(0)} ms.`,
    `GETs straight to the store took ${of(({ theirs, ours }) => theirs / ours.whole).toFixed(2)} of its time, and`,
    `${of(({ theirs, again }) => theirs / again).toFixed(2)} of that of others straight to the store.`,
  ].join('\n')
  const taken = { ours: measured.map(({ ours }) => ours.whole), theirs: measured.map((one) => one.theirs) }
  return downloadRow(`${title}: GET by redirect`, 0.98, { figure, ...taken }, note)
}

/** Seconds of a GET: by curl's clock those until the redirect was followed, and all; and with curl's own start. */
async function timesOfRedirected(url, token) {
  let printed
  const args = ['-sSfL', '-o', '/dev/null', '-w', '%{num_redirects} %{time_redirect} %{time_total}']
  const whole = await seconds(async () => {
    printed = (await run('curl', [...args, ...bearer(token), url])).stdout
  })
  const [redirects, redirect, total] = printed.split(' ').map(Number)
  if (redirects !== 1) throw new Error(`${url} was redirected ${redirects} times`)
  return { redirect, total, whole }
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
export async function proxyRow(title, server, { ours, theirs, token }, dir) {
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
    `${title}: of the store in the same run, nginx as a proxy reached ${ratio((one) => one.byNginx)}, and a proxy that is a request of`,
    `\`node:http\` piped into an answer ${ratio((one) => one.bare.seconds)}, by ${cpu('bare')} CPU seconds per GiB;`,
    `Arsenal took ${cpu('byUs')}, curl ${client}.`,
  ].join('\n')
  const taken = { ours: measured.map(({ byUs }) => byUs.seconds), theirs: measured.map((one) => one.theirs) }
  const figure = median(measured.map(({ theirs, byUs }) => theirs / byUs.seconds))
  return downloadRow(`${title}: GET through the service`, 0.7, { figure, ...taken }, note)
}
