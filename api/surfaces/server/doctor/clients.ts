/** A client as its `User-Agent` names it. */
export interface KnownClient {
  name: string
  version?: string
}

/** What is known to go wrong with a version, and what to do. */
export interface Advice {
  text: string
  fix: string
}

const form = (name: string, pattern: RegExp) => ({ name, pattern })

/** Names before the first that fits decide: Python clients name the library that uses them as well. */
const clients = [
  form('git-lfs', /\bgit-lfs\/(\d[\w.]*)/),
  form('git', /\bgit\/(\d[\w.]*)/),
  form('ollama', /\bollama\/v?(\d[\w.]*)/),
  form('huggingface_hub', /\bhf_hub\/(\d[\w.]*)/),
  form('hf-xet', /\b(?:hf_xet|xet-core|xet)\/(\d[\w.]*)/),
  form('curl', /\bcurl\/(\d[\w.]*)/),
  form('browser', /^Mozilla\/\d/),
]

export function clientOf(userAgent: string): KnownClient | undefined {
  for (const { name, pattern } of clients) {
    const found = pattern.exec(userAgent)
    if (found) return { name, ...(found[1] !== undefined && { version: found[1] }) }
  }
  return undefined
}

interface Known extends Advice {
  client: string
  /** The first version without the problem. */
  before: readonly [major: number, minor: number]
}

const known: Known[] = [
  {
    client: 'huggingface_hub',
    before: [0, 36],
    text: 'Versions before 0.36 are not tested with this server.',
    fix: 'pip install --upgrade huggingface_hub',
  },
  {
    client: 'huggingface_hub',
    before: [1, 22],
    text: 'Downloads of repos with more than 50 000 files read the list of files twice.',
    fix: 'pip install --upgrade huggingface_hub',
  },
  {
    client: 'git-lfs',
    before: [3, 3],
    text: 'Versions before 3.3 are not tested with this server.',
    fix: 'Install git-lfs 3.3 or newer.',
  },
  {
    client: 'git',
    before: [2, 39],
    text: 'Versions before 2.39 are not tested with this server.',
    fix: 'Install git 2.39 or newer.',
  },
]

/** The known problems of a client's version. */
export function adviceFor({ name, version }: KnownClient): Advice[] {
  const [major = NaN, minor = 0] = (version ?? '').split('.').map(Number)
  return known
    .filter(({ client, before }) => client === name && isBefore([major, minor], before))
    .map(({ text, fix }) => ({ text, fix }))
}

const isBefore = ([major, minor]: readonly [number, number], limit: readonly [number, number]) =>
  major < limit[0] || (major === limit[0] && minor < limit[1])
