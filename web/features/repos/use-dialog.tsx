import { Stack, Tabs } from '@mantine/core'
import type { Repo } from '../../lib/types.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** How to get the Repo from a terminal, from Python, from TypeScript, with git. */
export default function UseDialog({ repo, onClose }: { repo: Repo; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={`Use ${repo.full_name}`} size="lg">
      <Tabs defaultValue="hf">
        <Tabs.List mb="md">
          {snippets(repo).map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets(repo).map(({ id, label, code, before = pointHere }) => (
          <Tabs.Panel key={id} value={id}>
            <Stack gap="sm">
              <CommandLine {...before} />
              <CommandLine label={label} command={code} />
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Dialog>
  )
}

interface Snippet {
  id: string
  label: string
  code: string
  /** What is done once before; it points hub clients here. */
  before?: { label: string; command: string }
}

const pointHere = {
  label: 'Once, to point hub clients here',
  command: `export HF_ENDPOINT=${location.origin}`,
}

function snippets(repo: Repo): Snippet[] {
  const id = repo.full_name
  const isDataset = repo.type === 'dataset'
  const python = isDataset
    ? {
        id: 'datasets',
        label: 'datasets',
        code: `from datasets import load_dataset\n\nds = load_dataset("${id}")`,
      }
    : {
        id: 'transformers',
        label: 'transformers',
        code: `from transformers import AutoModel, AutoTokenizer\n\ntokenizer = AutoTokenizer.from_pretrained("${id}")\nmodel = AutoModel.from_pretrained("${id}")`,
      }
  const typescript = [
    "import { createClient } from '@arsenal/shared/client'",
    "import { download, fileUrl } from '@arsenal/shared/transfer'",
    '',
    `const baseUrl = '${location.origin}'`,
    `const repo = { type: '${repo.type}s', ns: '${repo.ns}', name: '${repo.name}' } as const`,
    'const client = createClient({ baseUrl, token: process.env.HF_TOKEN })',
    `const tree = await client.getTree({ params: { ...repo, rev: '${repo.default_branch}' } })`,
    `const file = await download(baseUrl + fileUrl(repo, '${repo.default_branch}', 'README.md'), { token: process.env.HF_TOKEN })`,
  ].join('\n')
  return [
    { id: 'hf', label: 'hf download', code: `hf download ${id}${isDataset ? ' --repo-type dataset' : ''}` },
    python,
    { id: 'typescript', label: 'TypeScript', code: typescript },
    {
      id: 'git',
      label: 'git clone',
      code: `git clone ${repo.clone_url}`,
      before: {
        label: 'Once, for large files. Where git asks for a password, give it an access Token',
        command: 'git lfs install',
      },
    },
  ]
}
