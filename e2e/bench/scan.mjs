// The scan for unsafe files: how much it reads of a large model, and how long other requests wait meanwhile.
import { readFileSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ensurePython } from '../../api/dev/toolchain/python.mjs'
import { row, run } from './measure.mjs'
import { hubClient, lfsFile, textFile } from './seed.mjs'
import { startWatched } from './watched.mjs'

/** 400 tensors of 5 GB in all, as `torch.save` writes them. */
const save = `
import sys, torch
torch.save({f"model.layers.{i}.weight": torch.zeros(3_125_000) for i in range(400)}, sys.argv[1])`
/** A million calls of the scanner's machine in one pickle, and numbers enough to keep it busy. */
const pack = `
import collections, pickle, sys
made = [collections.OrderedDict(a=i) for i in range(1_000_000)]
with open(sys.argv[1], "wb") as file: pickle.dump(made, file, protocol=4)`
const smallFiles = 2000

/** Bytes that a process has asked the system for, sockets included (proc(5), io). */
const readBytes = (pid) => Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))[1])

/** Rows for the table. */
export async function* scanRows(dir) {
  const { a: python } = await ensurePython()
  const folder = join(dir, 'scan')
  await mkdir(folder)
  const { server, loopDelay } = await startWatched(folder)
  try {
    const person = await server.newPerson('scan')
    const place = { python, folder, server, person, token: await person.token() }
    yield await largeModel(place)
    yield await busy(place, loopDelay)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
}

/** Makes a file by Python and sends it to a new repo; answers how to commit it. */
async function sent({ python, folder, server, person, token }, name, script) {
  const hub = hubClient(server.url, token)
  const repo = `${person.username}/${name}`
  const file = join(folder, name)
  await run(python, ['-c', script, file])
  const { size } = await stat(file)
  const [oid] = (await run('sha256sum', [file])).stdout.split(' ')
  await hub.create(repo)
  const { objects } = await hub.batch(repo, [{ oid, size }])
  await run('curl', ['-sSf', '-T', file, objects[0].actions.upload.href])
  await rm(file)
  return {
    size,
    repo,
    commit: (more = []) => hub.commit(repo, 'add', [lfsFile('model.bin', oid, size), ...more]),
  }
}

/** Waits until all files of a repo have been looked at; asks seldom, for its answers count as well. */
async function scanned({ server, token }, repo) {
  const headers = { Authorization: `Bearer ${token}` }
  for (;;) {
    const answer = await fetch(`${server.url}/api/models/${repo}/scan`, { headers })
    const { scansDone, filesWithIssues } = await answer.json()
    if (scansDone) return filesWithIssues
    await pause(500)
  }
}

async function largeModel(place) {
  const { size, repo, commit } = await sent(place, 'torch', save)
  const before = readBytes(place.server.pid)
  await commit()
  const issues = await scanned(place, repo)
  if (issues.length > 0) throw new Error(`a state dict is not safe: ${JSON.stringify(issues)}`)
  const megabytes = (readBytes(place.server.pid) - before) / 1e6
  return row(
    'read by the scan of a torch zip',
    `${megabytes.toFixed(2)} MB`,
    `its size ${(size / 1e9).toFixed(1)} GB`,
    megabytes,
    '≤ 2 MB',
    megabytes <= 2,
  )
}

async function busy(place, loopDelay) {
  const { repo, commit } = await sent(place, 'pickles', pack)
  const small = Array.from({ length: smallFiles }, (_, i) =>
    textFile(`parts/${i}.pkl`, `ccollections\nOrderedDict\n(I${i}\ntR.`),
  )
  await commit(small)
  await loopDelay()
  const began = performance.now()
  await scanned(place, repo)
  const { p99 } = await loopDelay()
  const taken = `${smallFiles} pickles and one of 1 000 000 objects in ${((performance.now() - began) / 1000).toFixed(1)} s`
  return row('event loop late while scanning, p99', `${p99.toFixed(0)} ms`, taken, p99, '≤ 20 ms', p99 <= 20)
}
