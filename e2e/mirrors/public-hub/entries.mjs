// What the public hub knows of the files at a commit.

const known = new Map()

/** Entries of a tree as its API lists them: files and folders, those of folders included. */
export function entriesAt(hub, repo, sha) {
  if (!known.has(sha)) known.set(sha, listed(hub, repo, sha))
  return known.get(sha)
}

async function listed(hub, repo, sha) {
  const lines = (await hub.git(repo, 'ls-tree', '-r', '-t', '-l', sha)).split('\n').filter(Boolean)
  const entries = lines.map(async (line) => {
    const [, kind, oid, size, path] = /^\d+ (\w+) ([0-9a-f]{40})\s+(\S+)\t(.*)$/.exec(line) ?? []
    if (kind === 'tree') return { type: 'directory', oid, size: 0, path }
    const lfs =
      Number(size) < 200 ? pointerOf(await hub.git(repo, 'cat-file', 'blob', oid), Number(size)) : undefined
    // The public hub keeps large files as chunks, and says so wherever it lists them.
    return lfs
      ? { type: 'file', oid, size: lfs.size, lfs, xetHash: xetHashOf(lfs.oid), path }
      : { type: 'file', oid, size: Number(size), path }
  })
  return Promise.all(entries)
}

function pointerOf(text, pointerSize) {
  const [, oid, size] = /oid sha256:([0-9a-f]{64})\nsize (\d+)/.exec(text) ?? []
  return oid && { oid, size: Number(size), pointerSize }
}

/** Not that of the bytes: what matters is that it is seen nowhere else. */
export const xetHashOf = (sha256) => `e37e37${sha256.slice(6)}`
