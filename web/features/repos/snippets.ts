import type { Quant, Repo } from '../../lib/types.ts'
import { commandsOf, pythonEndpoint, shellEndpoint, type Command } from '../../ui/commands/deeds.ts'
import { quantCommands } from '../../ui/commands/quants.ts'

/** What the commands are made for: a repo, the server's own address, and the quant that was picked. */
export interface SnippetInput {
  repo: Pick<
    Repo,
    'type' | 'ns' | 'name' | 'full_name' | 'default_branch' | 'clone_url' | 'library' | 'task' | 'tags'
  >
  origin: string
  quant?: Quant | undefined
}

const served = new Set(['text-generation', 'image-text-to-text', 'conversational'])

const python: Record<string, (id: string) => string> = {
  transformers: (id) =>
    `from transformers import AutoModel, AutoTokenizer\n\ntokenizer = AutoTokenizer.from_pretrained("${id}")\nmodel = AutoModel.from_pretrained("${id}")`,
  diffusers: (id) =>
    `from diffusers import DiffusionPipeline\n\npipeline = DiffusionPipeline.from_pretrained("${id}")`,
  'sentence-transformers': (id) =>
    `from sentence_transformers import SentenceTransformer\n\nmodel = SentenceTransformer("${id}")`,
  peft: (id) =>
    `from peft import AutoPeftModelForCausalLM\n\nmodel = AutoPeftModelForCausalLM.from_pretrained("${id}")`,
  timm: (id) => `import timm\n\nmodel = timm.create_model("hf-hub:${id}", pretrained=True)`,
}

/** The libraries that load a model: the one it names, MLX by its tag, transformers where nothing speaks against it. */
function librariesOf({ repo, quant }: SnippetInput): string[] {
  const named = repo.library === 'mlx-lm' ? 'mlx' : repo.library
  const isMlx = named === 'mlx' || repo.tags.includes('mlx')
  if (named !== undefined && named in python) return isMlx ? [named, 'mlx'] : [named]
  if (isMlx) return ['mlx']
  return named === undefined && !quant ? ['transformers'] : []
}

/** The tools that can use the repo, the likeliest first, each with its command and this server's address. */
export function snippets(input: SnippetInput): Command[] {
  const { repo, origin, quant } = input
  const id = repo.full_name
  const isDataset = repo.type === 'dataset'
  const inPython = (name: string, code: string): Command => ({
    id: name,
    label: name,
    code: `${pythonEndpoint(origin)}\n\n${code}`,
  })
  const inShell = (name: string, code: string, label: string): Command => ({
    id: name,
    label,
    code: `${shellEndpoint(origin)}\n${code}`,
  })
  const libraries = isDataset ? [] : librariesOf(input)
  const isServed =
    libraries.includes('transformers') && (repo.task === undefined || served.has(repo.task)) && !quant
  const [shell, ...others] = commandsOf({ kind: 'download', repo: id, type: repo.type }, origin)
  return [
    ...(isDataset
      ? [inPython('datasets', `from datasets import load_dataset\n\nds = load_dataset("${id}")`)]
      : libraries.map((name) =>
          name === 'mlx'
            ? inShell('mlx', `mlx_lm.generate --model ${id} --prompt "Hello"`, 'MLX')
            : inPython(name, python[name]?.(id) ?? ''),
        )),
    ...(isServed
      ? [
          inShell('vllm', `vllm serve ${id}`, 'vLLM'),
          inShell('sglang', `python -m sglang.launch_server --model-path ${id}`, 'SGLang'),
        ]
      : []),
    ...(quant ? quantCommands(quant, id, origin) : []),
    ...(shell ? [{ ...shell, label: 'hf download' }] : []),
    ...others,
    { id: 'javascript', label: 'JavaScript', code: typescriptOf(input) },
    {
      id: 'git',
      label: 'git',
      code: `git clone ${repo.clone_url}`,
      before: {
        label: 'Once, for large files. Where git asks for a password, give it an access token',
        command: 'git lfs install',
      },
    },
  ]
}

const typescriptOf = ({ repo, origin }: SnippetInput): string =>
  [
    "import { createClient } from '@arsenal/shared/client'",
    "import { download, fileUrl } from '@arsenal/shared/transfer'",
    '',
    `const baseUrl = '${origin}'`,
    `const repo = { type: '${repo.type}s', ns: '${repo.ns}', name: '${repo.name}' } as const`,
    'const client = createClient({ baseUrl, token: process.env.HF_TOKEN })',
    `const tree = await client.getTree({ params: { ...repo, rev: '${repo.default_branch}' } })`,
    `const file = await download(baseUrl + fileUrl(repo, '${repo.default_branch}', 'README.md'), { token: process.env.HF_TOKEN })`,
  ].join('\n')
