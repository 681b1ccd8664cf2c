import { shellWord } from '../../lib/shell-word.ts'

/** What a program of the user's is to do with this server. */
export type Deed =
  | { kind: 'sign-in'; secret?: string }
  | {
      kind: 'upload'
      /** `ns/name` */
      repo: string
      type: string
      /** Left out for the default branch. */
      rev?: string | undefined
      /** Commits to a new pull request. */
      asPull?: boolean
      /** Whether the repo is made first. */
      isNew?: boolean
    }
  | { kind: 'download'; repo: string; type: string }
  | { kind: 'create-repo'; repo: string; type: string; isPrivate: boolean }
  | { kind: 'create-collection'; title: string; ns: string }
  | { kind: 'add-to-collection'; slug: string; item: string }

/** One command under the name of the tool that runs it. */
export interface Command {
  id: string
  label: string
  code: string
  /** What is done once before; left out where nothing is. */
  before?: { label: string; command: string }
}

const text = (value: string) => JSON.stringify(value)
const powerShellWord = (value: string) =>
  /^[\w./:-]+$/.test(value) ? value : `'${value.replaceAll("'", "''")}'`

/** What is set before an `hf` command, so that it asks this server and sends the token nowhere else. */
export const shellEndpoint = (origin: string) => `export HF_ENDPOINT=${origin}`
const powerShellEndpoint = (origin: string) => `$env:HF_ENDPOINT = ${text(origin)}`
/** `huggingface_hub` reads the variable when it is imported. */
export const pythonEndpoint = (origin: string) => `import os\n\nos.environ["HF_ENDPOINT"] = ${text(origin)}`

/** An `hf` command, for both kinds of shell. */
function hfCommands(origin: string, words: string[]): Command[] {
  const line = (quote: (word: string) => string) => ['hf', ...words.map(quote)].join(' ')
  return [
    { id: 'shell', label: 'Shell', code: `${shellEndpoint(origin)}\n${line(shellWord)}` },
    {
      id: 'powershell',
      label: 'PowerShell',
      code: `${powerShellEndpoint(origin)}\n${line(powerShellWord)}`,
    },
  ]
}

interface Call {
  /** Of `HfApi`, with its arguments; several are called one after the other. */
  python: string[]
  /** Of `@huggingface/hub`, with its options beside address and token. */
  javascript?: [name: string, options: Record<string, string>]
}

function calls(origin: string, { python, javascript }: Call): Command[] {
  const api = `from huggingface_hub import HfApi\n\napi = HfApi(endpoint=${text(origin)})\n`
  const commands = [
    { id: 'python', label: 'Python', code: api + python.map((call) => `api.${call}`).join('\n') },
  ]
  if (!javascript) return commands
  const [name, options] = javascript
  const all = { ...options, accessToken: 'process.env.HF_TOKEN', hubUrl: text(origin) }
  const lines = Object.entries(all).map(([key, value]) => `  ${key}: ${value},`)
  const code = `import { ${name} } from "@huggingface/hub"\n\nawait ${name}({\n${lines.join('\n')}\n})`
  return [...commands, { id: 'javascript', label: 'JavaScript', code }]
}

const git = (lines: (string | false)[]): Command => ({
  id: 'git',
  label: 'git',
  code: lines.filter((line) => line !== false).join('\n'),
})

/** The ways to do it, each with this server's address. */
export function commandsOf(deed: Deed, origin: string): Command[] {
  switch (deed.kind) {
    case 'sign-in':
      return signIn(origin, deed.secret)
    case 'upload':
      return upload(origin, deed)
    case 'download':
      return download(origin, deed)
    case 'create-repo': {
      const { repo, type, isPrivate } = deed
      const flags = [
        ...(type === 'dataset' ? ['--repo-type', type] : []),
        ...(isPrivate ? ['--private'] : []),
      ]
      const args = [text(repo), ...(type === 'dataset' ? ['repo_type="dataset"'] : [])]
      return [
        ...hfCommands(origin, ['repos', 'create', repo, ...flags]),
        ...calls(origin, {
          python: [`create_repo(${[...args, ...(isPrivate ? ['private=True'] : [])].join(', ')})`],
          javascript: ['createRepo', { repo: repoObject(deed), ...(isPrivate ? { private: 'true' } : {}) }],
        }),
      ]
    }
    case 'create-collection':
      return [
        ...hfCommands(origin, ['collections', 'create', deed.title]),
        ...calls(origin, {
          python: [`create_collection(${text(deed.title)}, namespace=${text(deed.ns)})`],
        }),
      ]
    case 'add-to-collection':
      return [
        ...hfCommands(origin, ['collections', 'add-item', deed.slug, deed.item, 'model']),
        ...calls(origin, {
          python: [`add_collection_item(${text(deed.slug)}, item_id=${text(deed.item)}, item_type="model")`],
        }),
      ]
  }
}

const repoObject = ({ type, repo }: { type: string; repo: string }) =>
  `{ type: ${text(type)}, name: ${text(repo)} }`

function signIn(origin: string, secret: string | undefined): Command[] {
  const token = secret ?? 'TOKEN'
  const { protocol, host } = new URL(origin)
  return [
    ...hfCommands(origin, ['auth', 'login', ...(secret ? ['--token', secret] : [])]),
    {
      id: 'python',
      label: 'Python',
      code: `${pythonEndpoint(origin)}\n\nfrom huggingface_hub import login\n\nlogin(${secret ? text(secret) : ''})`,
    },
    git([
      'git lfs install',
      'git config --global credential.helper store',
      `printf 'protocol=%s\\nhost=%s\\nusername=%s\\npassword=%s\\n\\n' \\\n  ${protocol.slice(0, -1)} ${host} token ${token} | git credential approve`,
    ]),
    {
      id: 'javascript',
      label: 'JavaScript',
      code: `import { whoAmI } from "@huggingface/hub"\n\nawait whoAmI({\n  accessToken: ${text(token)},\n  hubUrl: ${text(origin)},\n})`,
    },
  ]
}

function upload(origin: string, deed: Extract<Deed, { kind: 'upload' }>): Command[] {
  const { repo, type, rev, asPull = false, isNew = false } = deed
  const isDataset = type === 'dataset'
  const words = [
    'upload',
    repo,
    './folder',
    ...(isDataset ? ['--repo-type', 'dataset'] : []),
    ...(rev ? ['--revision', rev] : []),
    ...(asPull ? ['--create-pr'] : []),
  ]
  const typed = isDataset ? ', repo_type="dataset"' : ''
  const folder = [
    `    repo_id=${text(repo)},`,
    '    folder_path="./folder",',
    ...(isDataset ? ['    repo_type="dataset",'] : []),
    ...(rev ? [`    revision=${text(rev)},`] : []),
    ...(asPull ? ['    create_pr=True,'] : []),
  ]
  const [python, javascript] = calls(origin, {
    python: [
      ...(isNew ? [`create_repo(${text(repo)}${typed}, exist_ok=True)`] : []),
      `upload_folder(\n${folder.join('\n')}\n)`,
    ],
    javascript: [
      'uploadFiles',
      {
        repo: repoObject(deed),
        files: '[new URL("./folder/", import.meta.url)]',
        ...(rev ? { branch: text(rev) } : {}),
        ...(asPull ? { isPullRequest: 'true' } : {}),
      },
    ],
  })
  return [
    ...hfCommands(origin, words),
    ...(python ? [python] : []),
    ...(asPull || isNew ? [] : [gitUpload(origin, deed)]),
    ...(javascript && !isNew ? [javascript] : []),
  ]
}

function download(origin: string, { repo, type }: Extract<Deed, { kind: 'download' }>): Command[] {
  const isDataset = type === 'dataset'
  const args = [text(repo), ...(isDataset ? ['repo_type="dataset"'] : []), `endpoint=${text(origin)}`]
  return [
    ...hfCommands(origin, ['download', repo, ...(isDataset ? ['--repo-type', 'dataset'] : [])]),
    {
      id: 'python',
      label: 'Python',
      code: `from huggingface_hub import snapshot_download\n\nfolder = snapshot_download(${args.join(', ')})`,
    },
  ]
}

function gitUpload(origin: string, { repo, type, rev }: Extract<Deed, { kind: 'upload' }>): Command {
  const name = shellWord(repo.slice(repo.indexOf('/') + 1))
  const isPull = rev?.startsWith('refs/') ?? false
  return git([
    'git lfs install',
    `git clone ${origin}/${type === 'dataset' ? 'datasets/' : ''}${repo}`,
    `cd ${name}`,
    rev !== undefined && isPull && `git fetch origin ${shellWord(rev)} && git checkout FETCH_HEAD`,
    rev !== undefined && !isPull && `git checkout ${shellWord(rev)}`,
    'cp -r ../folder/. .',
    'git add . && git commit -m "Add files"',
    `git push${isPull && rev ? ` origin HEAD:${shellWord(rev)}` : ''}`,
  ])
}
